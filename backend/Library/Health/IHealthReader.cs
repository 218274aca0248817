using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>Reads files as a player would. Thread-safe.</summary>
public interface IHealthReader
{
    /// <summary>True when head and tail of a file were read and verified.</summary>
    Task<bool> PlaysAsync(CatalogItem file, CancellationToken cancellationToken);

    /// <summary>Whether two files of the same length hold the same bytes where both can be read, at the head, in the middle and at the tail. Null: nothing of both could be read.</summary>
    Task<bool?> AreSameAsync(CatalogItem file, CatalogItem other, CancellationToken cancellationToken);
}

using NzbDav.Catalog;

namespace NzbDav.Library.Health;

/// <summary>Has *arrs find replacements. Nothing is deleted there. Thread-safe.</summary>
public interface IReplacements
{
    /// <summary>Asks the *arr that imported files of a post to search for other releases of the same.</summary>
    /// <param name="post">The post.</param>
    /// <param name="files">Its files that are missing articles.</param>
    /// <param name="cancellationToken">Gives up.</param>
    Task<ReplacementAnswer> SearchAsync(HealthPost post, IReadOnlyList<CatalogItem> files, CancellationToken cancellationToken);

    /// <summary>Looks what came of a search.</summary>
    /// <param name="post">The old post.</param>
    /// <param name="search">What <see cref="SearchAsync"/> gave.</param>
    /// <param name="cancellationToken">Gives up.</param>
    Task<ReplacementAnswer> LookAsync(HealthPost post, string search, CancellationToken cancellationToken);
}

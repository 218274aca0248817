using NzbDav.Catalog.Health;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>Asks *arrs to find replacements. Deletes nothing in them. Thread-safe.</summary>
public interface IReplacements
{
    /// <summary>Asks the *arr that imported files of a post to search for other releases of the same.</summary>
    /// <param name="post">The post.</param>
    /// <param name="files">Its files that are missing articles.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<ReplacementAnswer> SearchAsync(HealthPost post, IReadOnlyList<CatalogItem> files, CancellationToken cancellationToken);

    /// <summary>Checks the result of a search.</summary>
    /// <param name="post">The old post.</param>
    /// <param name="search">What <see cref="SearchAsync"/> gave.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<ReplacementAnswer> LookAsync(HealthPost post, string search, CancellationToken cancellationToken);
}

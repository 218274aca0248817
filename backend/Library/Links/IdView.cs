using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Links;

/// <summary><c>/.ids</c>: every file under a path that stays its own. Thread-safe.</summary>
/// <param name="catalog">Tree, links and aliases.</param>
/// <param name="files">Makes the files.</param>
/// <param name="moved">Paths of other programs, which may be in these folders too.</param>
internal sealed class IdView(LibraryCatalog catalog, IdFiles files, MovedPaths moved)
{
    public LibraryCatalog Catalog => catalog;

    public IdFiles Files => files;

    public MovedPaths Moved => moved;

    /// <summary>The item at a path; null if there is none.</summary>
    /// <param name="names">From the root of the tree; the first is <see cref="IdPath.Top"/>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IStoreItem?> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        var level = Math.Min(names.Count - 1, IdPath.Levels);
        if (names.Count > IdPath.Levels + 2 || IdPath.TryPrefix([.. names.Skip(1).Take(level)]) is not { } prefix)
            return null;
        if (names.Count - 1 <= IdPath.Levels)
            return new IdCollection(this, names[^1], level, prefix);
        if (IdPath.TryId(names[^1], prefix) is not { } id)
            return await moved.FindAsync(string.Join('/', names), names[^1], cancellationToken);
        return await catalog.Tree.ResolveAsync(id, cancellationToken) is { IsCollection: false } item ? files.Of(item) : null;
    }
}

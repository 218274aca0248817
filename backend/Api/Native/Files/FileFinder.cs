using System.Globalization;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.WebDav.Store;

namespace NzbDav.Api.Native.Files;

/// <summary>Finds items of <c>/content</c> by the id or path in a request, and builds their bodies. Items outside <c>/content</c> are not
/// found. Thread-safe.</summary>
internal sealed class FileFinder(TreeStore tree, TreeBrowser browser)
{
    /// <summary>The item with an id; null if there is none, or if the text is not an id.</summary>
    public async ValueTask<FoundItem?> FindAsync(string? id, CancellationToken cancellationToken)
    {
        if (!long.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            || await tree.GetAsync(number, cancellationToken) is not { } item)
            return null;
        var paths = await browser.PathsAsync([number], cancellationToken);
        return paths.TryGetValue(number, out var steps) && steps[0].Name == JobStore.ContentCollection ? new FoundItem(item, steps) : null;
    }

    /// <summary>The item at a path from the top of the tree, not encoded; null if there is none.</summary>
    public async ValueTask<FoundItem?> FindByPathAsync(string path, CancellationToken cancellationToken) =>
        path.Split('/', StringSplitOptions.RemoveEmptyEntries) is [JobStore.ContentCollection, ..] names
            && await tree.ResolveAsync(names, cancellationToken) is { } item
            ? await FindAsync(IdOf(item.Id), cancellationToken)
            : null;

    public static string IdOf(long id) => id.ToString(CultureInfo.InvariantCulture);

    public static string? TypeOf(CatalogItem item) => item.IsCollection ? null : item.ContentType ?? MediaTypes.FromName(item.Name);

    public static bool IsPlayable(CatalogItem item) => IsPlayable(TypeOf(item));

    /// <param name="type">A media type; null: none.</param>
    public static bool IsPlayable(string? type) =>
        type is not null && (type.StartsWith("video/", StringComparison.Ordinal)
            || type.StartsWith("audio/", StringComparison.Ordinal)) && type is not ("audio/x-mpegurl" or "application/vnd.apple.mpegurl");

    public static FileItemBody BodyOf(FoundItem found) => BodyOf(found.Item, found.Path);

    /// <param name="item">The item.</param>
    /// <param name="path">Its path.</param>
    public static FileItemBody BodyOf(CatalogItem item, string path) => new()
    {
        Id = IdOf(item.Id),
        ParentId = item.ParentId is { } parent ? IdOf(parent) : null,
        Name = item.Name,
        Path = path,
        Kind = item.IsCollection ? FileItemKind.Collection : FileItemKind.File,
        Size = item.Size,
        Created = Stable(item.Created),
        Modified = Stable(item.Modified),
        ContentType = TypeOf(item),
        JobId = item.JobId is { } job ? IdOf(job) : null,
        Playable = IsPlayable(item),
    };

    // Collections created with the database have no date of their own.
    private static DateTimeOffset Stable(DateTimeOffset date) => date < DateTimeOffset.UnixEpoch ? DateTimeOffset.UnixEpoch : date;
}

/// <summary>An item of <c>/content</c> with its path.</summary>
/// <param name="Item">The item.</param>
/// <param name="Steps">From <c>content</c> to the item itself.</param>
internal sealed record FoundItem(CatalogItem Item, IReadOnlyList<PathStep> Steps)
{
    /// <summary>Its path, with a slash before each name, not encoded.</summary>
    public string Path => "/" + string.Join('/', Steps.Select(step => step.Name));

    /// <summary>The names, for the store.</summary>
    public string[] Names => [.. Steps.Select(step => step.Name)];
}

/// <summary>A file or a collection of the tree.</summary>
internal record FileItemBody
{
    /// <summary>Stays the same as long as the item exists, also when it is renamed. A decimal string, because it exceeds 2^53.</summary>
    public required string Id { get; init; }

    /// <summary>The collection that holds it; null for the root.</summary>
    public required string? ParentId { get; init; }

    /// <summary>Unique in its collection.</summary>
    public required string Name { get; init; }

    /// <summary>Its path from the root of the tree, not encoded: <c>/content/movies/Film/film.mkv</c>.</summary>
    public required string Path { get; init; }

    /// <summary>File or collection.</summary>
    public required FileItemKind Kind { get; init; }

    /// <summary>Size in bytes; 0 for a collection.</summary>
    public required long Size { get; init; }

    /// <summary>When it was created.</summary>
    public required DateTimeOffset Created { get; init; }

    /// <summary>When its bytes, or its list of children, last changed.</summary>
    public required DateTimeOffset Modified { get; init; }

    /// <summary>Media type; null for a collection.</summary>
    public required string? ContentType { get; init; }

    /// <summary>The job that published it; null once that is forgotten.</summary>
    public required string? JobId { get; init; }

    /// <summary>True if its type is video or audio.</summary>
    public required bool Playable { get; init; }
}

/// <summary>What an item of the tree is.</summary>
internal enum FileItemKind
{
    /// <summary>Holds other items.</summary>
    Collection,

    /// <summary>Has bytes.</summary>
    File,
}

using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Drop;

/// <summary>The top-level folders where files are dropped, and what they share. Thread-safe.</summary>
/// <param name="catalog">Tree, jobs and blobs.</param>
/// <param name="drop">Accepts dropped files.</param>
/// <param name="time">Clock.</param>
internal sealed class DropDesk(LibraryCatalog catalog, INzbDrop drop, TimeProvider time)
{
    public TreeStore Tree => catalog.Tree;

    public JobStore Jobs => catalog.Jobs;

    public BlobStore Blobs => catalog.Blobs;

    public INzbDrop Drop => drop;

    public TimeProvider Time => time;

    public PendingUploads Pending { get; } = new(time);

    public RecentUploads RecentUploads { get; } = new(time);

    /// <summary>Creates the folders of categories, both for dropping jobs and for published content.</summary>
    public async Task EnsureRootsAsync(IEnumerable<string> categories, CancellationToken cancellationToken)
    {
        foreach (var category in categories)
        {
            await Tree.EnsureCollectionAsync([JobStore.ContentCollection, category], cancellationToken);
            foreach (var place in DropPlace.All)
                await Tree.EnsureCollectionAsync([place.Folder, category], cancellationToken);
        }
    }

    /// <summary>The item at a path; null if there is none.</summary>
    /// <param name="names">From the root of the tree; the first is the folder of a <see cref="DropPlace"/>.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IStoreItem?> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken)
    {
        var place = DropPlace.Of(names[0])!;
        switch (names.Count)
        {
            case 1:
                return await Tree.ResolveAsync([names[0]], cancellationToken) is { } top ? Collection(top, place) : null;
            case > 3:
                return null;
        }

        if (await Tree.ResolveAsync([names[0], names[1]], cancellationToken) is { IsCollection: true } category)
        {
            var folder = Collection(category, place, category.Name);
            return names.Count == 2 ? folder : await folder.GetChildAsync(names[2], cancellationToken);
        }

        // Directly in the folder: pending files (an upload whose bytes have not arrived, or junk).
        return names.Count == 2 && await Tree.ResolveAsync([names[0]], cancellationToken) is { } root
            ? await Collection(root, place).GetChildAsync(names[1], cancellationToken)
            : null;
    }

    /// <summary>A folder where jobs are dropped.</summary>
    /// <param name="item">Its row in the catalog.</param>
    /// <param name="place">The kinds of files that it accepts.</param>
    /// <param name="category">Its category; null for the folder above all categories.</param>
    public DropCollection Collection(CatalogItem item, DropPlace place, string? category = null) => new(item, place, category, this);
}

/// <summary>A top-level folder where jobs are dropped, and the files that it accepts.</summary>
/// <param name="Folder">Its name.</param>
/// <param name="Refusal">The message when any other file is refused.</param>
/// <param name="Endings">File name endings, with the kind of job that each makes.</param>
internal sealed record DropPlace(string Folder, string Refusal, IReadOnlyList<(JobKind Kind, string Ending)> Endings)
{
    /// <summary>The collection at the top of the tree where .nzb files are dropped.</summary>
    public const string NzbFolder = "nzbs";

    /// <summary>The collection at the top of the tree where .torrent and .magnet files are dropped.</summary>
    public const string TorrentFolder = "torrents";

    /// <summary><c>/nzbs</c>.</summary>
    public static DropPlace Nzbs { get; } = new(
        NzbFolder, "Only .nzb files can be dropped here, as they are or packed (.gz, .bz2, .zip).", [(JobKind.Nzb, ".nzb")])
    {
        Packings = [".gz", ".bz2", ".zip"],
    };

    /// <summary><c>/torrents</c>.</summary>
    public static DropPlace Torrents { get; } = new(
        TorrentFolder, "Only .torrent and .magnet files can be dropped here.",
        [(JobKind.Torrent, ".torrent"), (JobKind.Magnet, ".magnet")]);

    public static IReadOnlyList<DropPlace> All { get; } = [Nzbs, Torrents];

    /// <summary>The kinds of its jobs.</summary>
    public JobKind[] Kinds { get; } = [.. Endings.Select(static ending => ending.Kind)];

    /// <summary>Endings of accepted archives that contain the same kinds of files.</summary>
    public string[] Packings { get; private init; } = [];

    /// <summary>The place of a top-level folder; null if the folder is not one.</summary>
    public static DropPlace? Of(string folder) => All.FirstOrDefault(place => place.Folder == folder);

    /// <summary>The kind of job that a file of this name makes, and the ending that matched; null if it is not accepted here.</summary>
    public (JobKind Kind, string Ending)? Match(string name)
    {
        foreach (var ending in Endings)
        {
            if (name.EndsWith(ending.Ending, StringComparison.OrdinalIgnoreCase))
                return ending;
        }

        return null;
    }

    /// <summary>The file name ending of a kind of job.</summary>
    public string EndingOf(JobKind kind) => Endings.First(ending => ending.Kind == kind).Ending;
}

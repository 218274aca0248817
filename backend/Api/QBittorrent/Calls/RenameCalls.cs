using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Import.Names;
using NzbDav.Library;
using NzbDav.Seeding;
using NzbDav.WebDav.Store;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>
/// <c>renameFile</c> and <c>renameFolder</c>: rename the file or folder in the tree, as over WebDAV. Its bytes, the torrent and the links
/// in libraries do not change. Names are those of <c>torrents/files</c>, which begin with the folder under which the torrent was published.
/// That folder can be renamed too.
/// </summary>
internal sealed class RenameCalls(QbitList list, IServiceProvider services) : IQbitCalls
{
    private const string NotPublished = "Its files are not in the mount yet.";
    private const string Outside = "Files stay in the folder of their torrent.";

    private readonly LibraryStore? _store = services.GetService<LibraryStore>();
    private readonly TreeStore? _tree = services.GetService<TreeStore>();

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Change("torrents/renameFile", (call, cancellationToken) => RenameAsync(call, isFolder: false, cancellationToken), "hash",
            "oldPath", "newPath"),
        QbitRoute.Change("torrents/renameFolder", (call, cancellationToken) => RenameAsync(call, isFolder: true, cancellationToken), "hash",
            "oldPath", "newPath"),
    ];

    /// <summary>The name of a file in <c>torrents/files</c>: appended to the save path it is the file's path in the mount.</summary>
    public static string NameOf(QbitTorrent torrent, ShelfFile file) =>
        torrent.ContentPath.StartsWith(torrent.SavePath + "/", StringComparison.Ordinal)
            ? $"{torrent.ContentPath[(torrent.SavePath.Length + 1)..]}/{file.TreePath ?? file.Path}" : file.Path;

    private async ValueTask<QbitReply> RenameAsync(QbitCall call, bool isFolder, CancellationToken cancellationToken)
    {
        if (await list.FindAsync(call.Hash(), cancellationToken) is not { Source: { } source } torrent)
            return QbitReply.NotFound();
        if (source.ContentPath.Count < 2 || source.ItemId is null || _store is null)
            return QbitReply.Conflict(NotPublished);
        var (before, after) = (PathOf(call.Text("oldPath")!), PathOf(call.Text("newPath")!));
        if (before.Length == 0 || after.Length == 0)
            return QbitReply.Conflict("The path is empty.");
        if (before.Concat(after).FirstOrDefault(static name => SafeName.Of(name) != name) is { } name)
            return QbitReply.Conflict($"{name} is not a valid file name.");
        if (before.SequenceEqual(after, StringComparer.Ordinal))
            return QbitReply.Done;
        var isWhole = isFolder && before.Length == 1;
        if (before[0] != source.ContentPath[1]
            || (isWhole ? after.Length != 1 : before.Length < 2 || after.Length < 2 || after[0] != before[0]))
            return QbitReply.Conflict(Outside);
        if (!isFolder && (await list.Shelf!.ListFilesAsync(torrent.Hash, cancellationToken) ?? [])
            .All(file => file.ItemId is null || NameOf(torrent, file) != string.Join('/', before)))
            return QbitReply.Conflict($"No such file exists: {string.Join('/', before)}");
        if (await MoveAsync([JobStore.ContentCollection, source.ContentPath[0]], before, after, isFolder, cancellationToken) is { } reason)
            return QbitReply.Conflict(reason);
        list.Shelf!.Renamed();
        return QbitReply.Done;
    }

    private static string[] PathOf(string text) => text.Split('/', StringSplitOptions.RemoveEmptyEntries);

    /// <returns>Why it was refused; null if it was done.</returns>
    private async ValueTask<string?> MoveAsync(
        string[] root, string[] before, string[] after, bool isFolder, CancellationToken cancellationToken)
    {
        if (await FindAsync([.. root, .. before], cancellationToken) is not { } item || item is IStoreCollection != isFolder)
            return $"No such {(isFolder ? "folder" : "file")} exists: {string.Join('/', before)}";
        if (await FindAsync([.. root, .. after], cancellationToken) is not null)
            return $"There is already an item called {after[^1]}.";
        if (after.Length > before.Length && after.Take(before.Length).SequenceEqual(before, StringComparer.Ordinal))
            return "A folder cannot be moved into itself.";
        if (await FindAsync([.. root, .. before[..^1]], cancellationToken) is not IStoreCollection from)
            return $"No such folder exists: {string.Join('/', before[..^1])}";
        string[] folder = [.. root, .. after[..^1]];
        if (await FindAsync(folder, cancellationToken) is null)
            await _tree!.EnsureCollectionAsync(folder, cancellationToken);
        if (await FindAsync(folder, cancellationToken) is not IStoreCollection to)
            return $"{folder[^1]} is not a folder.";
        return ReasonOf(await from.MoveAsync(before[^1], to, after[^1], cancellationToken));
    }

    private ValueTask<IStoreItem?> FindAsync(string[] names, CancellationToken cancellationToken) =>
        _store!.GetItemAsync(names.Aggregate(StorePath.Root, static (path, name) => path.Child(name)), cancellationToken);

    private static string? ReasonOf(StoreWriteResult result) => result.Status switch
    {
        StoreWriteStatus.Created or StoreWriteStatus.Replaced => null,
        StoreWriteStatus.NotFound => "It no longer exists.",
        _ => result.Reason ?? "It was refused.",
    };
}

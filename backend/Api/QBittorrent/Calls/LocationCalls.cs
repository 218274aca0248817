using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.QBittorrent.Labels;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Library;
using NzbDav.Seeding;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary>
/// <c>setLocation</c> and <c>setSavePath</c>. If the path is a category's folder in the mount, or a category's own save path, the torrent's
/// published files move into that category's folder; its category stays the same. Bytes, links by id and the folder of a kept torrent on
/// disk do not move, because none of them depends on the save path. Any other path is only stored, and returned to clients that ask for it.
/// </summary>
internal sealed class LocationCalls(
    QbitList list, QbitTargets targets, QbitLabels labels, Live<SabOptions> paths, IServiceProvider services) : IQbitCalls
{
    private const string Gone = "its folder no longer exists.";

    private readonly LibraryStore? _store = services.GetService<LibraryStore>();
    private readonly TreeStore? _tree = services.GetService<TreeStore>();

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Change("torrents/setLocation",
            (call, cancellationToken) => SetAsync(call, "hashes", call.Text("location")!, cancellationToken), "hashes", "location"),
        QbitRoute.Change(
            "torrents/setSavePath", (call, cancellationToken) => SetAsync(call, "id", call.Text("path")!, cancellationToken), "id", "path"),
    ];

    private async ValueTask<QbitReply> SetAsync(QbitCall call, string hashes, string path, CancellationToken cancellationToken)
    {
        if (path.Trim() is not { Length: > 0 } location)
            return QbitReply.BadRequest("Save path cannot be empty");
        if (list.Shelf is not { } shelf)
            return QbitReply.Done;
        var meant = (await targets.FindAsync(call, cancellationToken, hashes)).Torrents;
        var (folder, isMount) = await FolderAsync(location.TrimEnd('/'), cancellationToken);
        if (folder is null && isMount)
            return QbitReply.Conflict($"Cannot make save path: no category has its files in {location}.");
        string? refused = null;
        foreach (var torrent in (await list.ListAsync(cancellationToken))
            .Where(torrent => meant.Contains(torrent.Hash, StringComparer.Ordinal)))
        {
            if (torrent.Source is not { } source || torrent.SavePath == location.TrimEnd('/'))
                continue;
            var reason = folder is not null ? await MoveAsync(source, folder, cancellationToken)
                : source.Policy.Keep
                    ? "it is kept in the folder that NzbDav's settings name. Choose a category's folder in the mount." : null;
            if (reason is null)
                await shelf.UpdateAsync([torrent.Hash], entry => entry with { SavePath = location }, cancellationToken);
            else
                refused ??= $"Cannot make save path: {torrent.Name}: {reason}";
        }

        shelf.Renamed();
        return refused is null ? QbitReply.Done : QbitReply.Conflict(refused);
    }

    /// <summary>Finds the category whose folder a path denotes.</summary>
    /// <returns>Its folder, null if there is none; and whether the path is in the mount.</returns>
    private async ValueTask<(string? Folder, bool IsMount)> FolderAsync(string path, CancellationToken cancellationToken)
    {
        var categories = await labels.ListCategoriesAsync(cancellationToken);
        var root = paths.Value.CompletedPath.TrimEnd('/') + "/";
        if (path.StartsWith(root, StringComparison.Ordinal))
            return (categories.ContainsKey(path[root.Length..]) ? path[root.Length..] : null, true);
        return (categories.FirstOrDefault(category => category.Value.Length > 0 && category.Value.TrimEnd('/') == path).Key,
            path + "/" == root);
    }

    /// <returns>Why nothing was moved; null: everything was moved, in one step.</returns>
    private async ValueTask<string?> MoveAsync(TorrentView torrent, string folder, CancellationToken cancellationToken)
    {
        if (torrent.ContentPath.Count < 2 || torrent.ItemId is null || _store is null || _tree is null)
            return "its files are not in the mount yet.";
        var name = torrent.ContentPath[^1];
        if (torrent.ContentPath is [var here, _] && here == folder)
            return null;
        await _store.EnsureRootsAsync([folder], cancellationToken);
        if (await FindAsync(torrent.ContentPath, cancellationToken) is not { } item
            || await FindAsync([folder], cancellationToken) is not { } to)
            return Gone;

        // The move changes one row, so the item is always either in the old or in the new place. Nothing is replaced.
        return await _tree!.MoveAsync(item.Id, to.Id, name, cancellationToken) switch
        {
            RelocationOutcome.Done => null,
            RelocationOutcome.NameTaken => $"there is already an item called {name} in that folder.",
            _ => Gone,
        };
    }

    private ValueTask<CatalogItem?> FindAsync(IReadOnlyList<string> names, CancellationToken cancellationToken) =>
        _tree!.ResolveAsync([JobStore.ContentCollection, .. names], cancellationToken);
}

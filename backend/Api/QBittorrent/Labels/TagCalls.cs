using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Api.QBittorrent.Labels;

/// <summary>Tags. A tag is created when it is first assigned to a torrent.</summary>
internal sealed class TagCalls(QbitList list, QbitTargets targets, QbitLabels labels) : IQbitCalls
{
    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("torrents/tags", async (_, cancellationToken) => QbitReply.Json(await labels.ListTagsAsync(cancellationToken))),
        QbitRoute.Change("torrents/createTags", CreateAsync, "tags"),
        QbitRoute.Change("torrents/deleteTags", DeleteAsync, "tags"),
        QbitRoute.Change("torrents/addTags", (call, cancellationToken) =>
            UpdateAsync(call, static (old, tags) => [.. old.Union(tags, StringComparer.Ordinal)], cancellationToken), "hashes", "tags"),
        QbitRoute.Change("torrents/setTags", (call, cancellationToken) => UpdateAsync(call, static (_, tags) => tags, cancellationToken),
            "hashes", "tags"),
        QbitRoute.Change("torrents/removeTags", (call, cancellationToken) => UpdateAsync(call,
            static (old, tags) => tags.Length == 0 ? [] : [.. old.Except(tags, StringComparer.Ordinal)], cancellationToken), "hashes"),
    ];

    /// <summary>The distinct tags of a call.</summary>
    public static string[] TagsOf(QbitCall call) => [.. call.List("tags", ',').Distinct(StringComparer.Ordinal)];

    private async ValueTask<QbitReply> CreateAsync(QbitCall call, CancellationToken cancellationToken)
    {
        await labels.CreateTagsAsync(TagsOf(call), cancellationToken);
        return QbitReply.Done;
    }

    private async ValueTask<QbitReply> DeleteAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var tags = TagsOf(call);
        if (list.Shelf is { } shelf)
        {
            var tagged = (await shelf.ListAsync(cancellationToken))
                .Where(torrent => torrent.Entry.Tags.Intersect(tags, StringComparer.Ordinal).Any()).Select(static torrent => torrent.Hash);
            await shelf.UpdateAsync(
                [.. tagged], entry => entry with { Tags = [.. entry.Tags.Except(tags, StringComparer.Ordinal)] }, cancellationToken);
        }

        await labels.RemoveTagsAsync(tags, cancellationToken);
        return QbitReply.Done;
    }

    private async ValueTask<QbitReply> UpdateAsync(
        QbitCall call, Func<IReadOnlyList<string>, string[], IReadOnlyList<string>> change, CancellationToken cancellationToken)
    {
        var tags = TagsOf(call);
        var meant = await targets.FindAsync(call, cancellationToken);
        if (list.Shelf is { } shelf)
        {
            await shelf.UpdateAsync(
                meant.Torrents,
                (TorrentEntry entry) => change(entry.Tags, tags) is var after && after.SequenceEqual(entry.Tags, StringComparer.Ordinal)
                    ? entry : entry with { Tags = after },
                cancellationToken);
        }

        return QbitReply.Done;
    }
}

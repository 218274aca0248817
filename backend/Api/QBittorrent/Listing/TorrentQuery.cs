using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>Filters, sorts and pages the list of <c>torrents/info</c>.</summary>
internal static class TorrentQuery
{
    /// <summary>The torrents that a call requests, in the requested order.</summary>
    /// <returns>Null if it sorts by a member that torrents do not have.</returns>
    public static IReadOnlyList<QbitTorrent>? Apply(QbitCall call, IReadOnlyList<QbitTorrent> all)
    {
        IEnumerable<QbitTorrent> chosen = all.Where(torrent => QbitState.Passes(call.Text("filter"), torrent));

        // Empty means without a category or tag; absent means any. Case is ignored, because Windows users type either.
        if (call.Text("category") is { } category)
            chosen = chosen.Where(torrent => torrent.Category.Equals(category, StringComparison.OrdinalIgnoreCase));
        if (call.Text("tag") is { } tag)
            chosen = chosen.Where(
                torrent => tag.Length == 0 ? torrent.Tags.Length == 0 : torrent.Tags.Split(", ").Contains(tag, StringComparer.Ordinal));
        if (call.Text("hashes") is { Length: > 0 } && call.Hashes() is { } hashes)
            chosen = chosen.Where(torrent => hashes.Contains(torrent.Hash, StringComparer.Ordinal));
        if (call.Flag("private") is { } isPrivate)
            chosen = chosen.Where(torrent => torrent.IsPrivate == isPrivate);
        var found = chosen.ToList();
        if (found.Count > 0 && call.Text("sort") is { Length: > 0 } sort)
        {
            if (TorrentColumns.Sort(found, sort, call.Flag("reverse") ?? false) is not { } sorted)
                return null;
            found = [.. sorted];
        }

        var (limit, offset) = (call.Number("limit") ?? 0, call.Number("offset") ?? 0);
        if (offset < 0)
            offset = Math.Max(0, found.Count + offset);
        return [.. found.Skip((int)Math.Min(offset, int.MaxValue)).Take(limit > 0 ? (int)Math.Min(limit, int.MaxValue) : int.MaxValue)];
    }
}

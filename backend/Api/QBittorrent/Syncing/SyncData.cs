namespace NzbDav.Api.QBittorrent.Syncing;

/// <summary>All data of <c>sync/maindata</c> at one moment. Immutable.</summary>
/// <param name="Torrents">The values of each torrent, by hash.</param>
/// <param name="Categories">Save paths by name.</param>
/// <param name="Tags">All tags.</param>
/// <param name="Trackers">The hashes of the torrents of each tracker.</param>
/// <param name="State">See <see cref="ServerState"/>.</param>
internal sealed record SyncData(
    IReadOnlyDictionary<string, object?[]> Torrents,
    IReadOnlyDictionary<string, string> Categories,
    IReadOnlyList<string> Tags,
    IReadOnlyDictionary<string, IReadOnlyList<string>> Trackers,
    IReadOnlyDictionary<string, object?> State)
{
    /// <summary>No data: the state of a new client.</summary>
    public static SyncData Empty { get; } = new(
        new Dictionary<string, object?[]>(StringComparer.Ordinal),
        new Dictionary<string, string>(StringComparer.Ordinal),
        [],
        new Dictionary<string, IReadOnlyList<string>>(StringComparer.Ordinal),
        new Dictionary<string, object?>(StringComparer.Ordinal));
}

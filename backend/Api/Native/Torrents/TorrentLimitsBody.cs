namespace NzbDav.Api.Native.Torrents;

/// <summary>Limits of one torrent, beside those of the settings. They hold over restarts.</summary>
/// <param name="UpRate">Bytes a second to its peers, 1024 at least; null: no limit of its own.</param>
/// <param name="DownRate">Bytes a second from its peers, 16384 at least; null: no limit. Whoever plays is held to it too.</param>
internal sealed record TorrentLimitsBody(long? UpRate, long? DownRate);

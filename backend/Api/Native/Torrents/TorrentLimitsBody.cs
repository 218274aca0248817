namespace NzbDav.Api.Native.Torrents;

/// <summary>Limits of one torrent, in addition to those of the settings. They persist across restarts.</summary>
/// <param name="UpRate">Bytes per second to its peers, at least 1024; null: no limit of its own.</param>
/// <param name="DownRate">Bytes per second from its peers, at least 16384; null: no limit of its own. It applies to playback too.</param>
internal sealed record TorrentLimitsBody(long? UpRate, long? DownRate);

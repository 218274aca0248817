namespace NzbDav.Api.Native.Torrents;

/// <summary>Limits of one torrent, beside those of the settings. They hold until the server ends.</summary>
/// <param name="UpRate">Bytes a second to its peers; null: no limit of its own.</param>
internal sealed record TorrentLimitsBody(long? UpRate);

namespace NzbDav.Api.QBittorrent.Listing;

/// <summary>The torrents and jobs that a command applies to.</summary>
/// <param name="Torrents">Info-hashes; some may belong to no known torrent.</param>
/// <param name="Jobs">NZB jobs.</param>
internal sealed record QbitTarget(IReadOnlyList<string> Torrents, IReadOnlyList<long> Jobs);

namespace NzbDav.Api.QBittorrent;

/// <summary>What a command is about.</summary>
/// <param name="Torrents">Info-hashes; perhaps of torrents that are not there.</param>
/// <param name="Jobs">NZB jobs.</param>
internal sealed record QbitTarget(IReadOnlyList<string> Torrents, IReadOnlyList<long> Jobs);

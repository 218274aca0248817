using NzbDav.Torrents.Scheduling;

namespace NzbDav.Torrents;

/// <summary>State of a torrent at one moment.</summary>
/// <param name="IsDescribed">Its info dictionary is known.</param>
/// <param name="Peers">Connected peers.</param>
/// <param name="Have">Verified pieces that are held.</param>
/// <param name="Pieces">Pieces in all; 0 while not described.</param>
/// <param name="Bytes">Bytes transferred.</param>
/// <param name="LastFarewell">Why the last connection to a peer ended; null while none has.</param>
/// <param name="FetchEnded">Why <see cref="Torrent.FetchAll"/> stopped: the cache is full or cannot be written to; null while it can continue.</param>
public sealed record TorrentStatus(bool IsDescribed, int Peers, int Have, int Pieces, SwarmCounters Bytes, string? LastFarewell, string? FetchEnded)
{
    /// <summary>True when the fetch stopped because the disk is full: called again, it continues once there is room.</summary>
    public bool IsDiskFull { get; init; }
}

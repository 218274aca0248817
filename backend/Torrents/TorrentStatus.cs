using NzbDav.Torrents.Scheduling;

namespace NzbDav.Torrents;

/// <summary>A torrent at one moment.</summary>
/// <param name="IsDescribed">Its info dictionary is known.</param>
/// <param name="Peers">Connected peers.</param>
/// <param name="Have">Verified pieces that are held.</param>
/// <param name="Pieces">Pieces in all; 0 while not described.</param>
/// <param name="Bytes">What went over the wire.</param>
/// <param name="LastFarewell">Why the peer that left last did; null while none has.</param>
/// <param name="FetchEnded">Why <see cref="Torrent.FetchAll"/> goes no further: the cache is full or cannot be written to; null while nothing stands in its way.</param>
public sealed record TorrentStatus(bool IsDescribed, int Peers, int Have, int Pieces, SwarmCounters Bytes, string? LastFarewell, string? FetchEnded)
{
    /// <summary>It ended because the disk is full: asked for again it goes on once there is room.</summary>
    public bool IsDiskFull { get; init; }
}

using System.Net;

namespace NzbDav.Torrents.Status;

/// <summary>A connected peer.</summary>
public sealed record PeerStatus
{
    /// <summary>Where it can be reached, as far as known; else where it came from.</summary>
    public required IPEndPoint Address { get; init; }

    /// <summary>Its program, by its own word; null before it said so.</summary>
    public string? Client { get; init; }

    /// <summary>What it has of the torrent, 0 … 1.</summary>
    public double Share { get; init; }

    /// <summary>Bytes of blocks a second from it, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks a second to it, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Bytes of blocks from it since it is connected.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes of blocks to it since it is connected.</summary>
    public long Uploaded { get; init; }

    /// <summary>It does not answer requests.</summary>
    public bool IsChoking { get; init; }

    /// <summary>It wants pieces of ours.</summary>
    public bool IsInterested { get; init; }

    /// <summary>We do not answer its requests.</summary>
    public bool IsChoked { get; init; }

    /// <summary>It has pieces that we want.</summary>
    public bool IsInteresting { get; init; }

    /// <summary>How its address was learned when the connection was made.</summary>
    public PeerSources Sources { get; init; }

    /// <summary>What of the connection is encrypted.</summary>
    public PeerEncryption Encryption { get; init; }

    /// <summary>It came to us.</summary>
    public bool IsIncoming => (Sources & PeerSources.Incoming) != 0;

    /// <summary>Blocks that it was asked for and that have not come.</summary>
    public int Pending { get; init; }
}

namespace NzbDav.Torrents.Status;

/// <summary>State of an open torrent as of the last second. Created once a second, so reading it takes no lock.</summary>
public sealed record TorrentActivity
{
    /// <summary>State of a torrent that was opened less than a second ago.</summary>
    public static TorrentActivity None { get; } = new();

    /// <summary>True if its info dictionary is known.</summary>
    public bool IsDescribed { get; init; }

    /// <summary>True if peers may come from its tracker only (BEP 27).</summary>
    public bool IsPrivate { get; init; }

    /// <summary>Total bytes; 0 before it is described.</summary>
    public long Size { get; init; }

    /// <summary>Total number of pieces; 0 before it is described.</summary>
    public int Pieces { get; init; }

    /// <summary>Number of verified pieces held.</summary>
    public int Have { get; init; }

    /// <summary>Number of pieces selected by <see cref="Torrent.Select"/>; all by default.</summary>
    public int Wanted { get; init; }

    /// <summary>Number of <see cref="Wanted"/> pieces that are held.</summary>
    public int WantedHeld { get; init; }

    /// <summary>See <see cref="TorrentStatus.FetchEnded"/>.</summary>
    public string? FetchEnded { get; init; }

    /// <summary>Connected peers, including seeds.</summary>
    public int Peers { get; init; }

    /// <summary>Connected peers that have everything.</summary>
    public int Seeds { get; init; }

    /// <summary>
    /// Copies of the torrent among connected peers. The integer part is the number of peers that have the rarest piece; the fraction is the
    /// share of pieces that more peers have. 0 before it is described. Below 1, the peers together do not have every piece.
    /// </summary>
    public double Copies { get; init; }

    /// <summary>True if at some moment since the torrent was opened every piece was held here or by a connected peer.</summary>
    public bool SawWhole { get; init; }

    /// <summary>Bytes of blocks a second from peers, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks a second to peers, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Blocks requested from peers that have not arrived.</summary>
    public int InFlight { get; init; }

    /// <summary>Open readers of its files.</summary>
    public int Readers { get; init; }

    /// <summary>Why nothing arrives although something is wanted, for the user; null when nothing is wrong.</summary>
    public string? Reason { get; init; }
}

namespace NzbDav.Torrents.Status;

/// <summary>State of an open torrent. Rates, copies and reason are as of the last second.</summary>
public sealed record TorrentStatus
{
    /// <summary>State of a torrent that was opened less than a second ago.</summary>
    public static TorrentStatus None { get; } = new();

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

    /// <summary>Why <see cref="Torrent.FetchAll"/> stopped: the cache is full or cannot be written to, or kept files are gone; null while
    /// it can continue.</summary>
    public string? FetchEnded { get; init; }

    /// <summary>True if the fetch stopped because the disk is full: started again, it continues once there is room.</summary>
    public bool IsDiskFull { get; init; }

    /// <summary>Connected peers, including seeds.</summary>
    public int Peers { get; init; }

    /// <summary>Connected peers that have everything.</summary>
    public int Seeds { get; init; }

    /// <summary>Why the last connection to a peer ended; null while none has.</summary>
    public string? LastDisconnectReason { get; init; }

    /// <summary>
    /// Copies of the torrent among connected peers. The integer part is the number of peers that have the rarest piece; the fraction is the
    /// share of pieces that more peers have. 0 before it is described. Below 1, the peers together do not have every piece.
    /// </summary>
    public double Copies { get; init; }

    /// <summary>
    /// True if every piece was held here or by a connected peer at some moment since the torrent was opened. A super seed (BEP 16) has
    /// every piece, whatever it announces.
    /// </summary>
    public bool SawWhole { get; init; }

    /// <summary>Bytes transferred since it was opened. Keeps counting.</summary>
    public SwarmCounters Bytes { get; init; } = new();

    /// <summary>Bytes of blocks per second from peers, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks per second to peers, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Blocks requested from peers that have not arrived.</summary>
    public int InFlight { get; init; }

    /// <summary>Open readers of its files.</summary>
    public int Readers { get; init; }

    /// <summary>Why nothing arrives although something is wanted, for the user; null when nothing is wrong.</summary>
    public string? Reason { get; init; }
}

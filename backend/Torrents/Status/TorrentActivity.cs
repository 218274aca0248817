namespace NzbDav.Torrents.Status;

/// <summary>An open torrent as of the last second: made once a second, so that reading it costs nothing and waits for nobody.</summary>
public sealed record TorrentActivity
{
    /// <summary>Of a torrent that was opened less than a second ago.</summary>
    public static TorrentActivity None { get; } = new();

    /// <summary>Its info dictionary is known.</summary>
    public bool IsDescribed { get; init; }

    /// <summary>Peers come from its tracker only (BEP 27).</summary>
    public bool IsPrivate { get; init; }

    /// <summary>Bytes in all; 0 while not described.</summary>
    public long Size { get; init; }

    /// <summary>Pieces in all; 0 while not described.</summary>
    public int Pieces { get; init; }

    /// <summary>Verified pieces that are held.</summary>
    public int Have { get; init; }

    /// <summary>Pieces that <see cref="Torrent.Select"/> leaves in; all while it leaves out none.</summary>
    public int Wanted { get; init; }

    /// <summary>Those of <see cref="Wanted"/> that are held.</summary>
    public int WantedHeld { get; init; }

    /// <summary>See <see cref="TorrentStatus.FetchEnded"/>.</summary>
    public string? FetchEnded { get; init; }

    /// <summary>Connected peers, seeds included.</summary>
    public int Peers { get; init; }

    /// <summary>Connected peers that have everything.</summary>
    public int Seeds { get; init; }

    /// <summary>Copies among connected peers: how many have the rarest piece, and beside the point the share of pieces that more of them have; 0 while not described. Below 1, no whole copy is in reach.</summary>
    public double Copies { get; init; }

    /// <summary>Every piece was held, here or by a connected peer, at some moment since the torrent was opened.</summary>
    public bool SawWhole { get; init; }

    /// <summary>Bytes of blocks a second from peers, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes of blocks a second to peers, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Blocks that peers were asked for and have not sent.</summary>
    public int InFlight { get; init; }

    /// <summary>Readers of its files.</summary>
    public int Readers { get; init; }

    /// <summary>Why nothing comes although something is wanted; null when nothing is wrong.</summary>
    public string? Reason { get; init; }
}

namespace NzbDav.Api.Native.Torrents;

/// <summary>A torrent.</summary>
internal record TorrentBody
{
    /// <summary>40 hexadecimal digits, lower case.</summary>
    public string InfoHash { get; init; } = "";

    /// <summary>What it is called.</summary>
    public string Name { get; init; } = "";

    /// <summary>What of the tree it was published as; null: nothing yet.</summary>
    public string? ItemId { get; init; }

    /// <summary>The job that brought it, while that is remembered.</summary>
    public string? JobId { get; init; }

    /// <summary>Where it stands.</summary>
    public TorrentStateBody State { get; init; }

    /// <summary>Its peers come from its tracker only. False while that is not known.</summary>
    public bool Private { get; init; }

    /// <summary>Bytes in all; 0 while that is not known.</summary>
    public long Size { get; init; }

    /// <summary>Pieces in all; null while that is not known, and for one that is closed.</summary>
    public int? Pieces { get; init; }

    /// <summary>Verified pieces that are held; null for one that is closed.</summary>
    public int? Have { get; init; }

    /// <summary>Connected peers, seeds included.</summary>
    public int Peers { get; init; }

    /// <summary>Connected peers that have everything.</summary>
    public int Seeds { get; init; }

    /// <summary>Bytes a second from peers, over the last four seconds.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes a second to peers, over the last four seconds.</summary>
    public double UpRate { get; init; }

    /// <summary>Bytes from peers since it was added, over all restarts; of one without a phase since it was opened.</summary>
    public long Downloaded { get; init; }

    /// <summary>Bytes to peers since it was added, over all restarts; of one without a phase since it was opened.</summary>
    public long Uploaded { get; init; }

    /// <summary>What becomes of it: whether it waits, is fetched, is seeded, was stopped. Null for one that is not the user's any more, though its files are read.</summary>
    public TorrentPhaseBody? Phase { get; init; }

    /// <summary>Its category; null without a phase.</summary>
    public string? Category { get; init; }

    /// <summary>All of it is fetched and kept outside the cache; false: only what is read, in the cache.</summary>
    public bool Kept { get; init; }

    /// <summary>It runs whatever the limits say.</summary>
    public bool Forced { get; init; }

    /// <summary>What is there of what is wanted, 0 to 1; null without a phase.</summary>
    public double? Progress { get; init; }

    /// <summary>Bytes sent for each byte fetched; null without a phase.</summary>
    public double? Ratio { get; init; }

    /// <summary>Its place among those that are not complete, from 1; null for all others.</summary>
    public int? Position { get; init; }

    /// <summary>Peers in the swarm that have all of it, as trackers tell; null: none told.</summary>
    public int? KnownSeeds { get; init; }

    /// <summary>Peers in the swarm that do not, as trackers tell; null: none told.</summary>
    public int? KnownLeechers { get; init; }

    /// <summary>Seconds until all that is wanted is there, by the present rate; null: not known.</summary>
    public double? Eta { get; init; }

    /// <summary>Readers of its files.</summary>
    public int Readers { get; init; }

    /// <summary>Why nothing comes although something is wanted, or why it failed; null when nothing is wrong.</summary>
    public string? Reason { get; init; }
}

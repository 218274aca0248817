using NzbDav.Catalog;

namespace NzbDav.Seeding;

/// <summary>A torrent of the user's with all that is known of it now. Immutable.</summary>
public sealed record ShelfTorrent
{
    /// <summary>What is stored of it: category, tags, limits, turn, totals as last written (<see cref="Totals"/> are newer).</summary>
    public required TorrentEntry Entry { get; init; }

    /// <summary>Info-hash: 40 lower-case hexadecimal digits.</summary>
    public string Hash => Entry.Hash;

    /// <summary>What the user or the torrent calls it; its job's name or its hash before that is known.</summary>
    public required string Name { get; init; }

    /// <summary>Where it stands.</summary>
    public required TorrentState State { get; init; }

    /// <summary>It counts as complete for whoever imports it: published, and readable as far as is known. A torrent that is kept may still be fetched then.</summary>
    public bool IsReady { get; init; }

    /// <summary>What it holds is known.</summary>
    public bool IsDescribed { get; init; }

    /// <summary>Peers come from its tracker only (BEP 27).</summary>
    public bool IsPrivate { get; init; }

    /// <summary>It runs whatever the limits say.</summary>
    public bool IsForced => Entry.IsForced;

    /// <summary>The policy that holds for it.</summary>
    public required SharePolicy Policy { get; init; }

    /// <summary>What it moved, as of now.</summary>
    public TorrentTotals Totals { get; init; }

    /// <summary>Uploaded bytes for each downloaded one; of what is held where less was downloaded than that. 0 where nothing is held.</summary>
    public double Ratio { get; init; }

    /// <summary>Bytes of all files; 0 while not described.</summary>
    public long Size { get; init; }

    /// <summary>Bytes of the files that are not skipped.</summary>
    public long Wanted { get; init; }

    /// <summary>Verified bytes of those that are there.</summary>
    public long Held { get; init; }

    /// <summary>0 … 1: of what is wanted. A torrent that is only streamed has 1 once it is ready.</summary>
    public double Progress { get; init; }

    /// <summary>Bytes a second from peers.</summary>
    public double DownRate { get; init; }

    /// <summary>Bytes a second to peers.</summary>
    public double UpRate { get; init; }

    /// <summary>Connected peers that have everything.</summary>
    public int Seeds { get; init; }

    /// <summary>Connected peers that do not have everything.</summary>
    public int Leechers { get; init; }

    /// <summary>Seeds in the swarm as trackers tell; null: no tracker told.</summary>
    public int? KnownSeeds { get; init; }

    /// <summary>Leechers in the swarm as trackers tell; null: no tracker told.</summary>
    public int? KnownLeechers { get; init; }

    /// <summary>Copies among connected peers: how many have the rarest piece, and the share of pieces that more have. Below 1: no whole copy is in reach.</summary>
    public double Availability { get; init; }

    /// <summary>Until all that is wanted is there, by the present rate; null: not known.</summary>
    public TimeSpan? Eta { get; init; }

    /// <summary>Bytes of each piece but the last; 0 while not described.</summary>
    public int PieceLength { get; init; }

    /// <summary>Pieces in all; 0 while not described.</summary>
    public int Pieces { get; init; }

    /// <summary>Verified pieces that are there.</summary>
    public int PiecesHeld { get; init; }

    /// <summary>Its place among the torrents that are not complete, from 1; 0 for one that is.</summary>
    public int Position { get; init; }

    /// <summary>Names below <c>/content</c>: category and folder, as published; empty: not published.</summary>
    public IReadOnlyList<string> ContentPath { get; init; } = [];

    /// <summary>It holds one file, under its own name; false: a folder, or not known.</summary>
    public bool IsSingleFile { get; init; }

    /// <summary>The tracker that answers, without what may be a person's key; null: none.</summary>
    public string? Tracker { get; init; }

    /// <summary>The job that brought it, while that is remembered.</summary>
    public long? JobId { get; init; }

    /// <summary>The collection it was published as, or its first file; null: not published.</summary>
    public long? ItemId { get; init; }

    /// <summary>Why it does not go on; null when nothing is wrong.</summary>
    public string? Reason { get; init; }
}

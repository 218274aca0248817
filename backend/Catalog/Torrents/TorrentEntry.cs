namespace NzbDav.Catalog.Torrents;

/// <summary>A torrent that the user has, as stored. Immutable: a snapshot of when it was read.</summary>
public sealed record TorrentEntry
{
    /// <summary>Info-hash: 40 lower-case hexadecimal digits.</summary>
    public required string Hash { get; init; }

    /// <summary>What the user calls it; null: as the torrent calls itself.</summary>
    public string? Name { get; init; }

    /// <summary>That of the job that brought it, until it is changed. May be empty for a torrent whose job is forgotten.</summary>
    public required string Category { get; init; }

    /// <summary>In the order in which they were put on it; none holds a comma or is empty.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>The save path as the client that added it gave it, for clients that ask; null: that of its category. Nothing is written
    /// there.</summary>
    public string? SavePath { get; init; }

    /// <summary>The content layout as the client that added it gave it, for clients that ask; null: the original one.</summary>
    public string? Layout { get; init; }

    /// <summary>When it was added.</summary>
    public required DateTimeOffset Added { get; init; }

    /// <summary>When it first counted as complete for import clients; null: not yet.</summary>
    public DateTimeOffset? Ready { get; init; }

    /// <summary>When all that was wanted of it was there; null: not yet.</summary>
    public DateTimeOffset? Completed { get; init; }

    /// <summary>When a peer last gave or took a byte; null: never.</summary>
    public DateTimeOffset? LastActive { get; init; }

    /// <summary>When it was taken off the list though a library had links to its files: it is not seeded, its files can be read. Null: it
    /// is in the list.</summary>
    public DateTimeOffset? Removed { get; init; }

    /// <summary>What it moved.</summary>
    public TorrentTotals Totals { get; init; }

    /// <summary>Where it differs from its category.</summary>
    public TorrentPolicy Policy { get; init; } = new();

    /// <summary>The user stopped it, or it reached its limit: it is neither fetched nor seeded. Its files can be read.</summary>
    public bool IsStopped { get; init; }

    /// <summary>It runs whatever the limits of active torrents and its share limits say.</summary>
    public bool IsForced { get; init; }

    /// <summary>Pieces are fetched in order.</summary>
    public bool IsSequential { get; init; }

    /// <summary>Head and tail of each media file are fetched first.</summary>
    public bool IsEdgesFirst { get; init; }

    /// <summary>Its turn: lower goes first. Only the order means something.</summary>
    public long Turn { get; init; }

    /// <summary>Bytes per second to peers; null: no limit of its own.</summary>
    public long? UploadLimit { get; init; }

    /// <summary>Bytes per second from peers; null: no limit of its own.</summary>
    public long? DownloadLimit { get; init; }

    /// <summary>A priority for each file, padding counted; empty: all are normal. Files past its end are normal.</summary>
    public IReadOnlyList<FilePriority> Files { get; init; } = [];

    /// <summary>The files that its magnet link selected (<c>so</c>, BEP 53), all others being skipped, as long as <see cref="Files"/> has
    /// not taken its place. Null: the link selected none, or the user has set priorities since.</summary>
    public string? Selection { get; init; }

    /// <summary>Its trackers by tier where the user changed them; null: those of its .torrent or link.</summary>
    public IReadOnlyList<IReadOnlyList<Uri>>? Trackers { get; init; }

    /// <summary>Its web seeds where the user changed them; null: those of its .torrent or link.</summary>
    public IReadOnlyList<Uri>? WebSeeds { get; init; }

    /// <summary>Why it is stalled, in a few words; null when nothing is wrong.</summary>
    public string? Error { get; init; }

    /// <summary>The priority of a file.</summary>
    /// <param name="file">Its number in the torrent, from 0, padding counted.</param>
    public FilePriority PriorityOf(int file) => file < Files.Count ? Files[file] : FilePriority.Normal;
}

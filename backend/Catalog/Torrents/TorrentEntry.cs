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

    /// <summary>
    /// The save path as the client that added it gave it, for clients that ask; null: that of its category. Nothing is written there.
    /// </summary>
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
    public long QueuePosition { get; init; }

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

/// <summary>How a torrent is kept and seeded where that differs from its category: null is as the category says.</summary>
public sealed record TorrentPolicy
{
    /// <summary>
    /// For <see cref="Ratio"/>, <see cref="SeedMinutes"/> and <see cref="IdleMinutes"/>: no limit, whatever the category says.
    /// </summary>
    public const int Unlimited = -1;

    /// <summary>True: all of it is fetched and kept outside the cache; false: only what is read, in the bounded cache.</summary>
    public bool? Keep { get; init; }

    /// <summary>Uploaded bytes for each byte of its size, 0 or more; or <see cref="Unlimited"/>.</summary>
    public double? Ratio { get; init; }

    /// <summary>Minutes of seeding, 0 or more; or <see cref="Unlimited"/>.</summary>
    public int? SeedMinutes { get; init; }

    /// <summary>Minutes of seeding in which no peer takes a byte, 0 or more; or <see cref="Unlimited"/>.</summary>
    public int? IdleMinutes { get; init; }

    /// <summary>What becomes of it at its limit.</summary>
    public LimitAction? AtLimit { get; init; }
}

/// <summary>What becomes of a torrent that has been seeded enough.</summary>
public enum LimitAction
{
    /// <summary>It leaves its swarm and stays in the list.</summary>
    Stop,

    /// <summary>It leaves the list; its files stay.</summary>
    Remove,

    /// <summary>It leaves the list with its files. Files that a library has links to stay.</summary>
    RemoveData,
}

/// <summary>How soon a file of a torrent that is kept is fetched. Readers always go first.</summary>
public enum FilePriority
{
    /// <summary>Not fetched, unless somebody reads it.</summary>
    Skip,

    /// <summary>The default.</summary>
    Normal,

    /// <summary>Before normal ones.</summary>
    High,

    /// <summary>Before all others.</summary>
    Highest,
}

/// <summary>What a torrent has moved since it was added, over all restarts.</summary>
/// <param name="Downloaded">Bytes of blocks from peers.</param>
/// <param name="Uploaded">Bytes of blocks to peers.</param>
/// <param name="Active">Time in its swarm.</param>
/// <param name="Seeding">Time in its swarm while complete.</param>
/// <param name="Idle">Time of <paramref name="Seeding"/> since a peer last took a byte.</param>
public readonly record struct TorrentTotals(long Downloaded, long Uploaded, TimeSpan Active, TimeSpan Seeding, TimeSpan Idle);

namespace NzbDav.Catalog.Torrents;

/// <summary>A torrent of the user, as stored. Immutable: a snapshot of when it was read.</summary>
public sealed record TorrentEntry
{
    /// <summary>Info-hash: 40 lower-case hexadecimal digits.</summary>
    public required string Hash { get; init; }

    /// <summary>The name given by the user; null: the torrent's own name.</summary>
    public string? Name { get; init; }

    /// <summary>The category of the job that added it, until it is changed. May be empty if that job is no longer on record.</summary>
    public required string Category { get; init; }

    /// <summary>In the order in which they were added; none is empty or contains a comma.</summary>
    public IReadOnlyList<string> Tags { get; init; } = [];

    /// <summary>
    /// The save path given by the client that added it, for clients that ask; null: that of its category. Nothing is written there.
    /// </summary>
    public string? SavePath { get; init; }

    /// <summary>The content layout given by the client that added it, for clients that ask; null: the original one.</summary>
    public string? Layout { get; init; }

    /// <summary>When it was added.</summary>
    public required DateTimeOffset Added { get; init; }

    /// <summary>When it first counted as complete for import clients; null: not yet.</summary>
    public DateTimeOffset? Ready { get; init; }

    /// <summary>When everything wanted of it was complete; null: not yet.</summary>
    public DateTimeOffset? Completed { get; init; }

    /// <summary>When a byte last came from or went to a peer; null: never.</summary>
    public DateTimeOffset? LastActive { get; init; }

    /// <summary>
    /// When it was removed from the list although a library had links to its files. It is not seeded then, but its files can be read. Null:
    /// it is in the list.
    /// </summary>
    public DateTimeOffset? Removed { get; init; }

    /// <summary>What it has transferred.</summary>
    public TorrentTotals Totals { get; init; }

    /// <summary>Its deviations from its category.</summary>
    public TorrentPolicy Policy { get; init; } = new();

    /// <summary>
    /// True if the user stopped it, or it reached its limit: it is neither fetched nor seeded, but its files can be read.
    /// </summary>
    public bool IsStopped { get; init; }

    /// <summary>True if it runs regardless of the limit of active torrents and of its share limits.</summary>
    public bool IsForced { get; init; }

    /// <summary>True if pieces are fetched in order.</summary>
    public bool IsSequential { get; init; }

    /// <summary>True if the head and tail of each media file are fetched first.</summary>
    public bool IsEdgesFirst { get; init; }

    /// <summary>Its place in the queue: lower goes first. Only the order has meaning.</summary>
    public long QueuePosition { get; init; }

    /// <summary>Bytes per second to peers; null: no limit of its own.</summary>
    public long? UploadLimit { get; init; }

    /// <summary>Bytes per second from peers; null: no limit of its own.</summary>
    public long? DownloadLimit { get; init; }

    /// <summary>A priority for each file, counting padding files; empty: all are normal. Files beyond the end are normal.</summary>
    public IReadOnlyList<FilePriority> Files { get; init; } = [];

    /// <summary>
    /// The files that its magnet link selected (<c>so</c>, BEP 53); all others are skipped until <see cref="Files"/> is set. Null: the link
    /// selected none, or the user has set priorities since.
    /// </summary>
    public string? Selection { get; init; }

    /// <summary>Its trackers by tier, if the user changed them; null: those of its .torrent or link.</summary>
    public IReadOnlyList<IReadOnlyList<Uri>>? Trackers { get; init; }

    /// <summary>Its web seeds, if the user changed them; null: those of its .torrent or link.</summary>
    public IReadOnlyList<Uri>? WebSeeds { get; init; }

    /// <summary>Why it is stalled, in a few words; null when nothing is wrong.</summary>
    public string? Error { get; init; }

    /// <summary>The priority of a file.</summary>
    /// <param name="file">Its index in the torrent, from 0, counting padding files.</param>
    public FilePriority PriorityOf(int file) => file < Files.Count ? Files[file] : FilePriority.Normal;
}

/// <summary>How a torrent is kept and seeded. Null values follow its category.</summary>
public sealed record TorrentPolicy
{
    /// <summary>
    /// No limit, whatever the category says. For <see cref="Ratio"/>, <see cref="SeedMinutes"/> and <see cref="IdleMinutes"/>.
    /// </summary>
    public const int Unlimited = -1;

    /// <summary>True: all of it is fetched and stored outside the cache. False: only what is read, in the bounded cache.</summary>
    public bool? Keep { get; init; }

    /// <summary>Uploaded bytes for each byte of its size, 0 or more; or <see cref="Unlimited"/>.</summary>
    public double? Ratio { get; init; }

    /// <summary>Minutes of seeding, 0 or more; or <see cref="Unlimited"/>.</summary>
    public int? SeedMinutes { get; init; }

    /// <summary>Minutes of seeding without sending a byte to any peer, 0 or more; or <see cref="Unlimited"/>.</summary>
    public int? IdleMinutes { get; init; }

    /// <summary>What happens at its limit.</summary>
    public LimitAction? AtLimit { get; init; }
}

/// <summary>What happens to a torrent that has reached its seeding limit.</summary>
public enum LimitAction
{
    /// <summary>Leaves its swarm and stays in the list.</summary>
    Stop,

    /// <summary>Leaves the list; its files stay.</summary>
    Remove,

    /// <summary>Leaves the list with its files. Files that a library links to stay.</summary>
    RemoveData,
}

/// <summary>How soon a file of a kept torrent is fetched. Readers always go first.</summary>
public enum FilePriority
{
    /// <summary>Not fetched, unless somebody reads it.</summary>
    Skip,

    /// <summary>The default.</summary>
    Normal,

    /// <summary>Before normal files.</summary>
    High,

    /// <summary>Before all other files.</summary>
    Highest,
}

/// <summary>What a torrent has transferred since it was added, across restarts.</summary>
/// <param name="Downloaded">Bytes of blocks from peers.</param>
/// <param name="Uploaded">Bytes of blocks to peers.</param>
/// <param name="Active">Time in its swarm.</param>
/// <param name="Seeding">Time in its swarm while complete.</param>
/// <param name="Idle">Part of <paramref name="Seeding"/> since a byte was last sent to a peer.</param>
public readonly record struct TorrentTotals(long Downloaded, long Uploaded, TimeSpan Active, TimeSpan Seeding, TimeSpan Idle);

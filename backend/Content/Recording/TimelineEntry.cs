namespace NzbDav.Content.Recording;

/// <summary>
/// One entry of a <see cref="Timeline"/>, of any kind. 88 bytes, without objects of its own, so that a ring is a single allocation. The
/// meaning of the numbers depends on <see cref="Kind"/>; times are readings of the time line's clock, 0 where there is none.
/// </summary>
public struct TimelineEntry
{
    /// <summary>Number of the entry in its ring: one more than the entry before.</summary>
    public long Sequence { get; internal set; }

    /// <summary>When it happened; for something that takes time, when it ended.</summary>
    public long At { get; init; }

    /// <summary>For a stream's entry the request, for an article's the hash of its id.</summary>
    public ulong Id { get; init; }

    /// <summary>
    /// Request: first byte. Delivered: offset in the file of the first byte. Waited: offset in the file. Ended: total bytes sent.
    /// FirstByte, Opened: duration in ticks. Article: when it was queued. Capped: the cap.
    /// </summary>
    public long A { get; init; }

    /// <summary>
    /// Request: one past the last byte. Delivered: beginning of the period. Waited: duration in ticks. Article: when it was sent.
    /// </summary>
    public long B { get; init; }

    /// <summary>
    /// Request: the stream. Delivered: ticks in which the client took nothing. Article: when it became the first in its connection's
    /// pipeline.
    /// </summary>
    public long C { get; init; }

    /// <summary>Delivered: ticks in which the response waited for bytes. Article: when its first byte arrived.</summary>
    public long D { get; init; }

    /// <summary>Article: the longest pause after its first byte, as a difference of readings.</summary>
    public long Pause { get; init; }

    /// <summary>Article: bytes received before <see cref="Pause"/>.</summary>
    public int PauseAfter { get; init; }

    /// <summary>Article: bytes received. Delivered: bytes sent. Failed, Closed: number of open connections.</summary>
    public int Bytes { get; init; }

    /// <summary>Number of the connection in this process. Delivered: the stream.</summary>
    public int Connection { get; init; }

    public TimelineKind Kind { get; init; }

    /// <summary>Number of the provider in its client.</summary>
    public byte Provider { get; init; }

    /// <summary>
    /// Article, Stat: an <see cref="ArticleResult"/>. Ended: a <see cref="ResponseEnd"/>. Closed: a <see cref="ConnectionEnd"/>. Failed: a
    /// <see cref="ConnectFault"/>.
    /// </summary>
    public byte Outcome { get; init; }

    /// <summary>Article: its <see cref="FetchPriority"/>. Request: its <see cref="ReadIntent"/>.</summary>
    public byte Detail { get; init; }

    /// <summary>
    /// Request, Delivered: the <see cref="TimelineSource"/>. Waited, Failed, Closed, Capped: the reason, as text that may name providers
    /// and hosts.
    /// </summary>
    public object? Note { get; init; }
}

/// <summary>Kind of an entry of a <see cref="Timeline"/>.</summary>
public enum TimelineKind : byte
{
    /// <summary>A client asked for bytes of a file.</summary>
    Request,

    /// <summary>The first bytes for a request are available.</summary>
    FirstByte,

    /// <summary>Bytes were sent in the last second or so.</summary>
    Delivered,

    /// <summary>A response's wait for bytes ended.</summary>
    Waited,

    /// <summary>A response ended.</summary>
    Ended,

    /// <summary>A request for an article ended.</summary>
    Article,

    /// <summary>A provider was asked whether it has an article.</summary>
    Stat,

    /// <summary>A connection was opened.</summary>
    Opened,

    /// <summary>A connection could not be opened.</summary>
    Failed,

    /// <summary>A connection ended.</summary>
    Closed,

    /// <summary>An account allows fewer connections than configured.</summary>
    Capped,
}

/// <summary>A client that reads a file. One object is shared by all of its requests.</summary>
/// <param name="File">The file's id in the tree.</param>
/// <param name="Size">The file's size in bytes.</param>
/// <param name="Address">The client's address.</param>
/// <param name="UserAgent">Its User-Agent; null: none.</param>
public sealed record TimelineSource(long File, long Size, string Address, string? UserAgent);

/// <summary>How a response that sends a file's bytes ended.</summary>
public enum ResponseEnd : byte
{
    /// <summary>Not known.</summary>
    Unknown,

    /// <summary>All bytes were sent.</summary>
    Complete,

    /// <summary>The client left.</summary>
    ClientGone,

    /// <summary>It was refused, because no byte could be read.</summary>
    Refused,

    /// <summary>It was aborted, because further bytes could not be read.</summary>
    Broken,
}

/// <summary>Result of a request for an article.</summary>
public enum ArticleResult : byte
{
    /// <summary>It arrived complete; for a STAT, it exists.</summary>
    Found,

    /// <summary>The provider does not have it (430).</summary>
    Missing,

    /// <summary>It arrived damaged, or was another part than expected.</summary>
    Damaged,

    /// <summary>The connection ended before it was complete.</summary>
    Lost,

    /// <summary>Nothing arrived for so long that the connection was closed.</summary>
    TimedOut,

    /// <summary>The provider refused to serve articles (502).</summary>
    Refused,
}

/// <summary>Why a connection to a provider ended.</summary>
public enum ConnectionEnd : byte
{
    /// <summary>The provider or the network ended it.</summary>
    Lost,

    /// <summary>It was no longer needed.</summary>
    Quit,

    /// <summary>Nothing arrived for too long, so this side closed it.</summary>
    TimedOut,

    /// <summary>The provider refused to serve articles on it.</summary>
    Refused,
}

/// <summary>Why a connection to a provider could not be opened.</summary>
public enum ConnectFault : byte
{
    /// <summary>The provider could not be reached, or did not answer like a news server.</summary>
    Unreachable,

    /// <summary>It allows no more connections now.</summary>
    TooMany,

    /// <summary>It refused the login.</summary>
    Login,
}

namespace NzbDav.Content.Recording;

/// <summary>
/// One entry of a <see cref="Timeline"/>, of any kind: 88 bytes, so that a ring of them is allocated once. What the numbers mean depends on <see cref="Kind"/>; times are readings of
/// the time line's clock, 0 where there is none.
/// </summary>
public struct TimelineEntry
{
    /// <summary>Grows by one from entry to entry of a ring.</summary>
    public long Sequence { get; internal set; }

    /// <summary>When it happened; for something that takes time, when it ended.</summary>
    public long At { get; init; }

    /// <summary>The request, for a stream's entry; the hash of the id, for an article's.</summary>
    public ulong Id { get; init; }

    /// <summary>Request: first byte. Delivered: offset in the file at which the bytes begin. Waited: offset in the file. Ended: bytes sent in all. FirstByte, Opened: duration in ticks. Article: when
    /// it was queued. Capped: the cap.</summary>
    public long A { get; init; }

    /// <summary>Request: one past the last byte. Delivered: beginning of the period. Waited: duration in ticks. Article: when it was sent.</summary>
    public long B { get; init; }

    /// <summary>Request: the stream. Delivered: ticks in which the client took nothing. Article: when it became the next one on its connection.</summary>
    public long C { get; init; }

    /// <summary>Delivered: ticks in which the response waited for bytes. Article: when its first byte arrived.</summary>
    public long D { get; init; }

    /// <summary>Article: the longest pause after its first byte, as a difference of readings.</summary>
    public long Pause { get; init; }

    /// <summary>Article: bytes received before <see cref="Pause"/>.</summary>
    public int PauseAfter { get; init; }

    /// <summary>Article: bytes received. Delivered: bytes sent. Failed, Closed: connections that are open.</summary>
    public int Bytes { get; init; }

    /// <summary>Number of the connection in this process. Delivered: the stream.</summary>
    public int Connection { get; init; }

    /// <summary>What happened.</summary>
    public TimelineKind Kind { get; init; }

    /// <summary>Number of the provider in its client.</summary>
    public byte Provider { get; init; }

    /// <summary>Article, Stat: an <see cref="ArticleResult"/>. Ended: a <see cref="ResponseEnd"/>. Closed: a <see cref="ConnectionEnd"/>. Failed: a <see cref="ConnectFault"/>.</summary>
    public byte Outcome { get; init; }

    /// <summary>Article: its <see cref="FetchPriority"/>. Request: its <see cref="ReadIntent"/>.</summary>
    public byte Detail { get; init; }

    /// <summary>Request, Delivered: the <see cref="TimelineSource"/>. Waited, Failed, Closed, Capped: the reason, as text that may name providers and
    /// hosts.</summary>
    public object? Note { get; init; }
}

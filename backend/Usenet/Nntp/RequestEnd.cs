namespace NzbDav.Usenet.Nntp;

/// <summary>A connection's measurements of a request that has ended. Times are clock readings unless stated otherwise.</summary>
internal readonly record struct RequestEnd
{
    /// <summary>When it ended.</summary>
    public long At { get; init; }

    /// <summary>When it had become the next one.</summary>
    public long HeadSince { get; init; }

    /// <summary>When the first byte of its answer arrived; 0: none did.</summary>
    public long FirstAt { get; init; }

    /// <summary>The longest pause within the article, in ticks of the clock, and the decoded bytes received before it.</summary>
    public (long Ticks, int After) Pause { get; init; }

    /// <summary>Decoded bytes of the article, complete or not.</summary>
    public int Written { get; init; }

    /// <summary>For an article that arrived complete: time from its first to its last byte.</summary>
    public TimeSpan Transfer { get; init; }

    /// <summary>For an article that arrived complete: time from when it became the next to its last byte, without the round trip.</summary>
    public TimeSpan Service { get; init; }
}

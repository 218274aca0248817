using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Faults;

/// <summary>A fault in serving an article. Immutable; created by the factories.</summary>
public sealed record Fault
{
    private Fault(FaultKind kind) => Kind = kind;

    public FaultKind Kind { get; }

    /// <summary>Body bytes, counted after the status line, sent before the fault; null = half the body.</summary>
    public long? After { get; private init; }

    /// <summary>Duration of a stall; null = until the connection ends.</summary>
    public TimeSpan? Duration { get; private init; }

    /// <summary>Bytes per second of a slow article.</summary>
    public long Rate { get; private init; }

    /// <summary>For a stall: not even the status line is sent.</summary>
    public bool IsSilent { get; private init; }

    /// <summary>For a drop: RST instead of FIN. For a truncation: in the middle of a line instead of between two.</summary>
    public bool Abrupt { get; private init; }

    /// <summary>The article sent instead of the requested one; null = its neighbour in the file.</summary>
    public PostedSegment? Other { get; private init; }

    /// <inheritdoc cref="FaultKind.Missing"/>
    public static Fault Missing { get; } = new(FaultKind.Missing);

    /// <inheritdoc cref="FaultKind.StatLies"/>
    public static Fault StatLies { get; } = new(FaultKind.StatLies);

    /// <summary>
    /// Nothing at all is sent until the connection ends: a test can advance its clock as soon as the command has arrived.
    /// </summary>
    public static Fault Silence { get; } = new(FaultKind.Stall) { After = 0, IsSilent = true };

    /// <inheritdoc cref="FaultKind.Corrupt"/>
    public static Fault Corrupt { get; } = new(FaultKind.Corrupt);

    /// <summary>The body ends after about <paramref name="after"/> bytes: at the previous line end, or with <paramref name="midLine"/> at
    /// exactly that many.</summary>
    public static Fault Truncated(long? after = null, bool midLine = false) => new(FaultKind.Truncated) { After = after, Abrupt = midLine };

    /// <summary>The body of <paramref name="other"/> (default: the neighbour in the file, so with other offsets) with the status line of
    /// the requested article.</summary>
    public static Fault WrongArticle(PostedSegment? other = null) => new(FaultKind.WrongArticle) { Other = other };

    /// <summary>
    /// After <paramref name="after"/> bytes nothing is sent for <paramref name="duration"/> (null: forever), then the rest.
    /// </summary>
    public static Fault Stall(long? after = null, TimeSpan? duration = null) => new(FaultKind.Stall) { After = after, Duration = duration };

    /// <summary>After <paramref name="after"/> bytes the connection ends, by FIN or by <paramref name="reset"/>. After a reset the last
    /// bytes may be lost.</summary>
    public static Fault Drop(long? after = null, bool reset = false) => new(FaultKind.Drop) { After = after, Abrupt = reset };

    /// <summary>The body is sent at <paramref name="bytesPerSecond"/>.</summary>
    public static Fault Slow(long bytesPerSecond)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(bytesPerSecond);
        return new(FaultKind.Slow) { Rate = bytesPerSecond };
    }
}

/// <summary>A provider's fault in serving an article.</summary>
public enum FaultKind
{
    /// <summary>430 to every request, including STAT.</summary>
    Missing,

    /// <summary>223 to STAT; 430 to HEAD, BODY and ARTICLE.</summary>
    StatLies,

    /// <summary>One payload byte is changed; the CRC is that of the original bytes.</summary>
    Corrupt,

    /// <summary>The body ends early, with a proper dot line.</summary>
    Truncated,

    /// <summary>The body of another article is sent.</summary>
    WrongArticle,

    /// <summary>No bytes are sent for a while, or never again.</summary>
    Stall,

    /// <summary>The connection ends in the middle of the body.</summary>
    Drop,

    /// <summary>The body is sent at its own rate.</summary>
    Slow,
}

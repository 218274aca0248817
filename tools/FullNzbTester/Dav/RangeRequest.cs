using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>One GET.</summary>
/// <param name="Start">First byte.</param>
/// <param name="End">Last byte, inclusive; null for an open-ended range.</param>
/// <param name="Read">Bytes to read before the client has enough.</param>
internal sealed record RangeRequest(long Start, long? End, long Read)
{
    /// <summary>Collects the duration of each read; may be null.</summary>
    public ReadTimes? Times { get; init; }

    /// <summary>Called with the number of bytes received; may be null.</summary>
    public Action<long>? Came { get; init; }

    /// <summary>The most that one receive takes from the socket; 0 for as much as fits.</summary>
    public int Piece { get; init; }

    /// <summary>Awaited before each further receive, to read at a player's pace; may be null.</summary>
    public Func<CancellationToken, Task>? Before { get; init; }

    /// <summary>A range of exactly these bytes.</summary>
    public static RangeRequest Closed(long start, long length) => new(start, start + length - 1, length);

    /// <summary>A range from here to the end, of which the client reads a part and leaves.</summary>
    public static RangeRequest Open(long start, long read) => new(start, null, read);
}

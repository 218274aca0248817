using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>One GET.</summary>
/// <param name="Start">First byte.</param>
/// <param name="End">Last byte, inclusive; null for an open-ended range.</param>
/// <param name="Read">Bytes to read before the client has enough.</param>
internal sealed record RangeRequest(long Start, long? End, long Read)
{
    /// <summary>Told how long each read waited; may be null.</summary>
    public ReadTimes? Times { get; init; }

    /// <summary>Told how many bytes came; may be null.</summary>
    public Action<long>? Came { get; init; }

    /// <summary>Most that is taken from the socket at a time; 0 for as much as fits.</summary>
    public int Piece { get; init; }

    /// <summary>Waited for before more is taken from the socket: a player's pace; may be null.</summary>
    public Func<CancellationToken, Task>? Before { get; init; }

    /// <summary>A range of exactly these bytes.</summary>
    public static RangeRequest Closed(long start, long length) => new(start, start + length - 1, length);

    /// <summary>From here to the end, of which the client reads a part and leaves.</summary>
    public static RangeRequest Open(long start, long read) => new(start, null, read);
}

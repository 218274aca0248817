using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>A flight of the segment s0, which the test answers by hand. Disposal asserts that nothing leaked.</summary>
internal sealed class FlightFixture : IDisposable
{
    public const int Size = 100_000;

    public FlightFixture()
    {
        Flight = Segments.Fly();
        Segment = Segments.Fetcher["s0"];
    }

    /// <summary>The bytes of the segment.</summary>
    public static byte[] Right { get; } = ManualSegment.BytesOf("s0", Size);

    public SegmentFixture Segments { get; } = new();

    /// <summary>A test that closes it opens another.</summary>
    public SegmentFlight Flight { get; set; }

    public ManualSegment Segment { get; }

    /// <summary>The bytes of the segment with one bit flipped.</summary>
    public static byte[] Wrong(int at)
    {
        var bytes = (byte[])Right.Clone();
        bytes[at] ^= 0x40;
        return bytes;
    }

    /// <summary>Of the bytes asked for, as many as expected are lent, and they are right.</summary>
    public void AssertLends(int offset, int count, int expected)
    {
        using var lease = Flight.TryLend(offset, count);
        Assert.NotNull(lease);
        Assert.True(Right.AsSpan(offset, expected).SequenceEqual(lease.Memory.Span));
    }

    public void Dispose()
    {
        Segments.Cache.Close(Flight);
        Segments.Dispose();
    }
}

using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

public sealed class DiagnosticBufferPoolTests
{
    [Fact]
    public void A_leak_is_reported_with_the_place_of_its_rent()
    {
        var pool = new DiagnosticBufferPool(traces: true);
        pool.Budget.Reserve(BufferPool.ClassOf(1));
        var buffer = pool.Rent(1);

        var leak = Assert.Throws<InvalidOperationException>(pool.AssertAllReturned);
        Assert.Contains(nameof(A_leak_is_reported_with_the_place_of_its_rent), leak.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(pool.AssertNothingReserved);

        buffer.Release();
        pool.AssertAllReturned();
        pool.AssertNothingReserved();
    }

    [Fact]
    public void Late_reads_see_filler_and_late_writes_are_detected()
    {
        var pool = new DiagnosticBufferPool();
        pool.Budget.Reserve(BufferPool.ClassOf(1));
        var buffer = pool.Rent(1);
        var memory = buffer.Memory;
        Assert.Equal(DiagnosticBufferPool.Fresh, memory.Span[0]);
        buffer.Release();
        Assert.Equal(DiagnosticBufferPool.Returned, memory.Span[0]);
        pool.AssertAllReturned();

        memory.Span[5] = 1;
        pool.Budget.Reserve(BufferPool.ClassOf(1));
        pool.Rent(1).Release();

        Assert.Contains("first at 5", Assert.Throws<InvalidOperationException>(pool.AssertAllReturned).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Seeded_bytes_are_the_same_from_every_method()
    {
        var all = SeededBytes.Make(5, 1000);
        var piece = new byte[777];
        SeededBytes.Fill(5, 13, piece);
        Assert.Equal(all[13..790], piece);
        Assert.Equal(all[999], SeededBytes.At(5, 999));
        Assert.NotEqual(all, SeededBytes.Make(6, 1000));
        Assert.Equal(-1, SeededBytes.FirstMismatch(5, 13, piece));
        piece[700] ^= 1;
        Assert.Equal(700, SeededBytes.FirstMismatch(5, 13, piece));
        Assert.InRange(all.Distinct().Count(), 200, 256);
    }
}

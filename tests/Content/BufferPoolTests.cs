using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

public sealed class BufferPoolTests
{
    private readonly BufferPool _pool = new(new BufferBudget(16 << 20));

    [Theory]
    [InlineData(1, 65536)]
    [InlineData(65536, 65536)]
    [InlineData(65537, 73728)]
    [InlineData(131072, 131072)]
    [InlineData(131073, 147456)]
    [InlineData(716_800, 720_896)]
    [InlineData(739_811, 786_432)]
    [InlineData(1 << 30, 1 << 30)]
    public void Each_doubling_has_eight_size_classes(int size, int capacity) => Assert.Equal(capacity, BufferPool.ClassOf(size));

    [Fact]
    public void No_class_wastes_more_than_an_eighth_of_the_size()
    {
        var random = new Random(1);
        for (var i = 0; i < 100_000; i++)
        {
            var size = i < 50_000 ? 65_536 + i : random.Next(65_536, (1 << 30) + 1);
            var capacity = BufferPool.ClassOf(size);
            Assert.True(capacity >= size && capacity - size <= size / 4, $"{size} → {capacity}");
            Assert.Equal(capacity, BufferPool.ClassOf(capacity));
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData((1 << 30) + 1)]
    public void Sizes_are_checked(int size) => Assert.Throws<ArgumentOutOfRangeException>(() => _pool.Rent(size));

    [Fact]
    public void A_returned_buffer_is_reused_and_its_reservation_ends()
    {
        var first = Rent(100_000);
        var array = first.Array;
        Assert.Equal((1, BufferPool.ClassOf(100_000), 0), (_pool.Rented, _pool.Budget.Reserved, _pool.IdleBytes));

        first.Release();
        Assert.Equal((0, 0, BufferPool.ClassOf(100_000)), (_pool.Rented, _pool.Budget.Reserved, _pool.IdleBytes));

        var second = Rent(99_999);
        Assert.Same(array, second.Array);
        Assert.Equal(0, _pool.IdleBytes);
        second.Release();
    }

    [Fact]
    public void A_retained_buffer_returns_with_the_last_release()
    {
        var buffer = Rent(1);
        buffer.Retain();
        buffer.Release();
        Assert.Equal(1, _pool.Rented);
        buffer.Release();
        Assert.Equal(0, _pool.Rented);
    }

    [Fact]
    public void Late_use_of_a_buffer_throws_and_does_not_return_it_twice()
    {
        var buffer = Rent(1);
        buffer.Release();

        Assert.Throws<ObjectDisposedException>(buffer.Release);
        Assert.Throws<ObjectDisposedException>(buffer.Retain);
        Assert.Throws<ObjectDisposedException>(() => ContentLease.Of(buffer, 0, 1));
        Assert.Equal((0, 65_536), (_pool.Rented, _pool.IdleBytes));
    }

    [Fact]
    public void Idle_buffers_are_freed_when_buffers_of_another_size_are_returned()
    {
        var small = Enumerable.Range(0, 200).Select(_ => Rent(1)).ToArray();
        foreach (var buffer in small)
            buffer.Release();
        var large = Enumerable.Range(0, 15).Select(_ => Rent(1 << 20)).ToArray();

        foreach (var buffer in large)
            buffer.Release();

        Assert.True(_pool.IdleBytes + _pool.Budget.Reserved <= _pool.Budget.Limit);
        Assert.True(_pool.IdleBytes >= 14 << 20);
    }

    [Fact]
    public void Buffers_granted_beyond_the_limit_are_reused()
    {
        // The limit is 16 MiB: twice that is rented again and again, and no array is made anew.
        var arrays = new HashSet<byte[]>();
        for (var round = 0; round < 5; round++)
        {
            var buffers = Enumerable.Range(0, 32).Select(_ => Rent(1 << 20)).ToArray();
            arrays.UnionWith(buffers.Select(buffer => buffer.Array));
            foreach (var buffer in buffers)
                buffer.Release();
        }

        Assert.Equal(32, arrays.Count);

        // Later it is no longer expected.
        for (var i = 0; i < 2048; i++)
            Rent(1 << 20).Release();
        Assert.True(_pool.IdleBytes <= _pool.Budget.Limit);
    }

    [Fact]
    public async Task Many_threads_never_share_a_buffer()
    {
        var pool = new DiagnosticBufferPool(new BufferBudget(64 << 20));
        await Task.WhenAll(Enumerable.Range(1, 4).Select(mark => Task.Run(() =>
        {
            var random = new Random(mark);
            for (var i = 0; i < 2000; i++)
            {
                var size = random.Next(1, 200_000);
                pool.Budget.Reserve(BufferPool.ClassOf(size));
                var buffer = pool.Rent(size);
                buffer.Memory.Span[..64].Fill((byte)mark);
                var lease = ContentLease.Of(buffer, 0, 64);
                buffer.Release();
                Assert.True(!lease.Memory.Span.ContainsAnyExcept((byte)mark));
                lease.Dispose();
                lease.Dispose();
            }
        })));

        pool.AssertAllReturned();
        pool.AssertNothingReserved();
        Assert.Equal(0, pool.Rented);
        Assert.True(pool.IdleBytes <= pool.Budget.Limit);
    }

    private PooledBuffer Rent(int size)
    {
        _pool.Budget.Reserve(BufferPool.ClassOf(size));
        return _pool.Rent(size);
    }
}

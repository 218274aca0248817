using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

public sealed class ContentLeaseTests
{
    private readonly DiagnosticBufferPool _pool = new();

    [Fact]
    public void A_lease_keeps_its_buffer_until_it_is_disposed_once()
    {
        var buffer = Rent();
        buffer.Memory.Span.Fill(7);
        var lease = ContentLease.Of(buffer, 10, 20);
        var other = ContentLease.Of(buffer, 0, 1);
        buffer.Release();

        Assert.Equal((false, 20), (lease.IsEmpty, lease.Length));
        Assert.Equal(Enumerable.Repeat((byte)7, 20), lease.Memory.ToArray());
        lease.Dispose();
        lease.Dispose();

        Assert.Throws<ObjectDisposedException>(() => lease.Memory);
        Assert.Equal(7, other.Memory.Span[0]);
        Assert.Equal(1, _pool.Rented);
        other.Dispose();
        _pool.AssertAllReturned();
    }

    [Fact]
    public async Task Disposing_from_many_threads_releases_once()
    {
        for (var round = 0; round < 500; round++)
        {
            var buffer = Rent();
            var lease = ContentLease.Of(buffer, 0, 1);
            await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(lease.Dispose)));
            Assert.Equal(1, _pool.Rented);
            buffer.Release();
        }

        _pool.AssertAllReturned();
    }

    [Fact]
    public void The_empty_lease_can_be_disposed_repeatedly()
    {
        ContentLease.Empty.Dispose();
        ContentLease.Empty.Dispose();

        Assert.True(ContentLease.Empty.IsEmpty);
        Assert.Equal(0, ContentLease.Empty.Memory.Length);
    }

    [Fact]
    public void Memory_without_an_owner_can_be_lent()
    {
        var lease = ContentLease.Of(new byte[] { 1, 2 });
        Assert.Equal([1, 2], lease.Memory.ToArray());
        lease.Dispose();
        Assert.Throws<ObjectDisposedException>(() => lease.Memory);
    }

    private PooledBuffer Rent()
    {
        _pool.Budget.Reserve(BufferPool.ClassOf(100));
        return _pool.Rent(100);
    }
}

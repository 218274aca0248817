using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>Promises of the buffer types that their code does not keep yet. Each of these fails until it does.</summary>
public sealed class ContractBugTests
{
    private const int MiB = 1 << 20;

    /// <summary>PooledBuffer.Retain adds before it looks: of two late calls at once, the second sees the first's reference and succeeds.</summary>
    [Fact]
    public async Task A_late_retain_never_succeeds_not_even_beside_another()
    {
        var pool = new BufferPool(new BufferBudget(16 * MiB));
        var succeeded = 0;
        for (var round = 0; round < 20 && succeeded == 0; round++)
        {
            pool.Budget.Reserve(BufferPool.ClassOf(1));
            var buffer = pool.Rent(1);
            buffer.Release();
            await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
            {
                for (var i = 0; i < 2000 && Volatile.Read(ref succeeded) == 0; i++)
                {
                    try
                    {
                        buffer.Retain();
                        Interlocked.Increment(ref succeeded);
                    }
                    catch (ObjectDisposedException)
                    {
                    }
                }
            })));
        }

        Assert.Equal(0, succeeded);
    }

    /// <summary>ContentLease.Dispose returns early when the lease is empty, also when it holds a reference.</summary>
    [Fact]
    public void An_empty_lease_of_a_buffer_gives_it_back()
    {
        var pool = new DiagnosticBufferPool();
        pool.Budget.Reserve(BufferPool.ClassOf(1));
        var buffer = pool.Rent(1);
        var lease = ContentLease.Of(buffer, 0, 0);
        buffer.Release();
        lease.Dispose();
        pool.AssertAllReturned();
    }

    /// <summary>ContentLease.Of retains before it slices: when the slice is out of range, nobody releases.</summary>
    [Fact]
    public void A_lease_that_cannot_be_made_holds_nothing()
    {
        var pool = new DiagnosticBufferPool();
        pool.Budget.Reserve(BufferPool.ClassOf(1));
        var buffer = pool.Rent(1);
        Assert.Throws<ArgumentOutOfRangeException>(() => ContentLease.Of(buffer, buffer.Capacity, 1));
        buffer.Release();
        pool.AssertAllReturned();
    }

    /// <summary>BufferPool trims when a buffer comes back, not when one goes out: old sizes stay idle beside all that is rented anew.</summary>
    [Fact]
    public void Idle_and_reserved_together_stay_within_the_limit()
    {
        var pool = new BufferPool(new BufferBudget(16 * MiB));
        var small = Enumerable.Range(0, 224).Select(_ => Rent(1)).ToArray();
        foreach (var buffer in small)
            buffer.Release();
        var large = Enumerable.Range(0, 14).Select(_ => Rent(MiB)).ToArray();

        Assert.True(
            pool.IdleBytes + pool.Budget.Reserved <= pool.Budget.Limit,
            $"{pool.IdleBytes >> 20} MiB idle and {pool.Budget.Reserved >> 20} MiB reserved of {pool.Budget.Limit >> 20} MiB");
        GC.KeepAlive(large);

        PooledBuffer Rent(int size)
        {
            Assert.True(pool.Budget.TryReserve(BufferPool.ClassOf(size), new CountingWaiter()));
            return pool.Rent(size);
        }
    }
}

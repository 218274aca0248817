using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>Regression tests for contracts of the buffer types that were once broken.</summary>
public sealed class ContractBugTests
{
    private const int MiB = 1 << 20;

    /// <summary>PooledBuffer.Retain once counted before it checked: of two concurrent late calls, the second saw the first's reference and
    /// succeeded.</summary>
    [Fact]
    public async Task A_late_retain_never_succeeds_even_concurrently()
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

    /// <summary>ContentLease.Dispose once returned early when the lease was empty, even when it held a reference.</summary>
    [Fact]
    public void An_empty_lease_of_a_buffer_returns_it()
    {
        var pool = new DiagnosticBufferPool();
        pool.Budget.Reserve(BufferPool.ClassOf(1));
        var buffer = pool.Rent(1);
        var lease = ContentLease.Of(buffer, 0, 0);
        buffer.Release();
        lease.Dispose();
        pool.AssertAllReturned();
    }

    /// <summary>
    /// ContentLease.Of once retained before it sliced: when the slice was out of range, the reference was never released.
    /// </summary>
    [Fact]
    public void A_lease_that_cannot_be_created_holds_no_reference()
    {
        var pool = new DiagnosticBufferPool();
        pool.Budget.Reserve(BufferPool.ClassOf(1));
        var buffer = pool.Rent(1);
        Assert.Throws<ArgumentOutOfRangeException>(() => ContentLease.Of(buffer, buffer.Capacity, 1));
        buffer.Release();
        pool.AssertAllReturned();
    }

    /// <summary>
    /// BufferPool once trimmed only when a buffer came back, not when one was rented: old sizes stayed idle on top of newly rented buffers.
    /// </summary>
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

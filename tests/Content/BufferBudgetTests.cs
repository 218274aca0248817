namespace NzbDav.Content.Tests;

public sealed class BufferBudgetTests
{
    private const long MiB = 1 << 20;

    private readonly BufferBudget _budget = new(16 * MiB);

    [Fact]
    public void A_too_small_limit_is_refused() => Assert.Throws<ArgumentOutOfRangeException>(() => new BufferBudget((8 * MiB) - 1));

    [Fact]
    public void A_reservation_that_a_reader_waits_for_is_always_granted()
    {
        _budget.Reserve(15 * MiB);
        _budget.Reserve(15 * MiB);
        Assert.Equal(30 * MiB, _budget.Reserved);
        _budget.Release(30 * MiB);
        Assert.Equal((0, 0), (_budget.Reserved, _budget.Refusals));
    }

    [Fact]
    public void Read_ahead_is_refused_above_seven_eighths_of_the_budget()
    {
        var waiter = new CountingWaiter();
        Assert.True(_budget.TryReserve(14 * MiB, waiter));
        Assert.False(_budget.TryReserve(1, waiter));
        Assert.Equal((14 * MiB, 1), (_budget.Reserved, _budget.Refusals));
        _budget.Reserve(2 * MiB);
        Assert.Equal(16 * MiB, _budget.Reserved);
    }

    [Fact]
    public void A_refused_waiter_is_called_once_when_budget_is_freed()
    {
        var waiter = new CountingWaiter();
        _budget.Reserve(16 * MiB);
        Assert.False(_budget.TryReserve(MiB, waiter));
        Assert.False(_budget.TryReserve(MiB, waiter));
        Assert.Equal(0, waiter.Calls);

        _budget.Release(8 * MiB);
        Assert.Equal(1, waiter.Calls);
        _budget.Release(8 * MiB);
        Assert.Equal(1, waiter.Calls);
        Assert.True(_budget.TryReserve(MiB, waiter));
    }

    [Fact]
    public void A_higher_limit_calls_every_refused_waiter()
    {
        var (one, two) = (new CountingWaiter(), new CountingWaiter());
        _budget.Reserve(16 * MiB);
        Assert.False(_budget.TryReserve(MiB, one));
        Assert.False(_budget.TryReserve(MiB, two));
        _budget.Limit = 32 * MiB;
        Assert.Equal((1, 1), (one.Calls, two.Calls));
        Assert.True(_budget.TryReserve(12 * MiB, one));
        Assert.False(_budget.TryReserve(MiB, one));
    }

    [Fact]
    public void A_lower_limit_reclaims_cached_memory_and_applies_to_new_reservations()
    {
        var budget = new BufferBudget(32 * MiB);
        var cache = new ReclaimingCache(budget);
        budget.SetReclaimer(cache);
        cache.Hold(6 * MiB);
        budget.Reserve(14 * MiB);
        budget.Limit = 16 * MiB;
        Assert.Equal(16 * MiB, budget.Limit);
        Assert.Equal((4 * MiB, 16 * MiB), (cache.Reclaimed, budget.Reserved));
        Assert.False(budget.TryReserve(2 * MiB, new CountingWaiter()));
        Assert.Throws<ArgumentOutOfRangeException>(() => budget.Limit = MiB);
    }

    [Fact]
    public void The_oldest_waiter_is_called_first()
    {
        var order = new List<int>();
        _budget.Reserve(16 * MiB);
        for (var i = 0; i < 3; i++)
        {
            var who = i;
            Assert.False(_budget.TryReserve(MiB, new CountingWaiter(() => order.Add(who))));
        }

        for (var i = 0; i < 3; i++)
            _budget.Release(MiB);
        Assert.Equal([0, 1, 2], order);
    }

    [Fact]
    public void A_waiter_that_no_longer_needs_budget_can_pass_the_call_on()
    {
        var (gone, waiting) = (new CountingWaiter(_budget.WakeNext), new CountingWaiter());
        _budget.Reserve(16 * MiB);
        Assert.False(_budget.TryReserve(MiB, gone));
        Assert.False(_budget.TryReserve(MiB, waiting));

        _budget.Release(16 * MiB);

        Assert.Equal((0, 1, 1), (_budget.Reserved, gone.Calls, waiting.Calls));
        _budget.WakeNext();
    }

    [Fact]
    public void Shares_are_equal_and_leave_an_eighth_free()
    {
        Assert.Equal(14 * MiB, _budget.BudgetPerReader);
        _budget.AddReader();
        Assert.Equal(14 * MiB, _budget.BudgetPerReader);
        _budget.AddReader();
        Assert.Equal(7 * MiB, _budget.BudgetPerReader);
        _budget.RemoveReader();
        Assert.Equal(14 * MiB, _budget.BudgetPerReader);
        _budget.RemoveReader();
    }

    [Fact]
    public void Resting_readers_have_no_share()
    {
        _budget.AddReader();
        _budget.AddReader();
        _budget.MarkReaderIdle();
        Assert.Equal((2, 1, 14 * MiB), (_budget.Readers, _budget.IdleReaders, _budget.BudgetPerReader));
        _budget.MarkReaderActive();
        Assert.Equal((2, 0, 7 * MiB), (_budget.Readers, _budget.IdleReaders, _budget.BudgetPerReader));
    }

    [Fact]
    public void A_cache_is_reclaimed_before_a_reservation_is_refused()
    {
        var cache = new ReclaimingCache(_budget);
        _budget.SetReclaimer(cache);
        cache.Hold(14 * MiB);

        Assert.True(_budget.TryReserve(5 * MiB, new CountingWaiter()));
        Assert.Equal((5 * MiB, 14 * MiB), (cache.Reclaimed, _budget.Reserved));
        _budget.Reserve(4 * MiB);
        Assert.Equal((9 * MiB, 14 * MiB), (cache.Reclaimed, _budget.Reserved));
        Assert.Equal(0, _budget.Refusals);
    }

    [Fact]
    public async Task Concurrent_reservations_keep_the_sum_and_the_limit()
    {
        var most = 0L;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(seed => Task.Run(() =>
        {
            var random = new Random(seed);
            var held = new Stack<long>();
            for (var i = 0; i < 20_000; i++)
            {
                var size = random.Next(1, (int)MiB);
                if (random.Next(2) == 0 && _budget.TryReserve(size, new CountingWaiter()))
                    held.Push(size);
                else if (held.TryPop(out var bytes))
                    _budget.Release(bytes);
                InterlockedMax(ref most, _budget.Reserved);
            }

            foreach (var bytes in held)
                _budget.Release(bytes);
        })));

        Assert.Equal(0, _budget.Reserved);
        Assert.True(most <= 14 * MiB, $"{most} bytes were reserved by read-ahead alone");
    }

    private static void InterlockedMax(ref long target, long value)
    {
        var seen = Interlocked.Read(ref target);
        while (value > seen)
        {
            var before = Interlocked.CompareExchange(ref target, value, seen);
            if (before == seen)
                return;
            seen = before;
        }
    }
}

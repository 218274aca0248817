using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

public sealed class SegmentCacheTests : IDisposable
{
    private static readonly SegmentKey Key = new("s0", 0, 100_000);

    private readonly SegmentFixture _fixture = new(budget: 8 * SegmentFixture.MiB);
    private readonly List<SegmentFlight> _open = [];

    private SegmentCache Cache => _fixture.Cache;

    public void Dispose()
    {
        foreach (var flight in _open)
            Cache.Close(flight);
        _fixture.Dispose();
    }

    [Fact]
    public void There_is_one_flight_per_id()
    {
        var first = Open(Key);
        Assert.Same(first, Open(Key));
        Assert.Same(first, Open(SegmentKey.Unknown("s0")));
        Assert.NotSame(first, Open(new("s1", 0, 100_000)));
        Assert.Equal(["s0", "s1"], _fixture.Fetcher.BegunIds);
        Assert.Equal((2, 2), (Cache.Open, Cache.Count));
    }

    [Fact]
    public async Task Concurrent_requests_share_one_flight_and_one_reservation()
    {
        for (var round = 0; round < 200; round++)
        {
            var key = new SegmentKey($"r{round}", 0, 100_000);
            using var start = new Barrier(4);
            var flights = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Factory.StartNew(
                () =>
                {
                    start.SignalAndWait();
                    return _fixture.Fly(key, FetchPriority.ReadAhead);
                },
                CancellationToken.None,
                TaskCreationOptions.LongRunning,
                TaskScheduler.Default)));
            Assert.All(flights, flight => Assert.Same(flights[0], flight));
            Assert.Equal(BufferPool.ClassOf(100_000), _fixture.Budget.Reserved);
            foreach (var flight in flights)
                Cache.Close(flight);
            Assert.Equal((0, 0L), (Cache.Count, _fixture.Budget.Reserved));
        }
    }

    [Fact]
    public void Joining_with_a_higher_priority_raises_a_flight_and_a_lower_one_does_not()
    {
        var flight = Open(Key, FetchPriority.ReadAhead);
        Open(Key, FetchPriority.Import);
        Assert.Equal(FetchPriority.ReadAhead, flight.Priority);
        Open(Key, FetchPriority.Next);
        Assert.Equal(FetchPriority.Next, flight.Priority);
        Cache.Raise(flight, FetchPriority.ReadAhead);
        Cache.Raise(flight, FetchPriority.Waiting);
        Cache.Raise(flight, FetchPriority.Waiting);
        Assert.Equal(FetchPriority.Waiting, flight.Priority);
        Assert.Equal(["s0", "s0"], _fixture.Fetcher.RaisedIds);
    }

    [Fact]
    public async Task Raising_to_the_current_priority_takes_no_lock()
    {
        var flight = Open(Key, FetchPriority.Waiting);
        using var blocked = new ManualResetEventSlim();
        using var go = new ManualResetEventSlim();

        // The cache asks its fetcher under its lock whether a flight can be dropped: there another thread stays.
        var other = _fixture.Fly(new SegmentKey("s1", 100_000, 100_000), FetchPriority.Next);
        _fixture.Fetcher.OnTryDrop = () =>
        {
            blocked.Set();
            go.Wait();
        };
        var closing = Task.Run(() => Cache.Close(other));
        blocked.Wait();
        try
        {
            await Task.Run(() => Cache.Raise(flight, FetchPriority.Waiting)).WaitAsync(TimeSpan.FromSeconds(30));
            Assert.False(closing.IsCompleted);
        }
        finally
        {
            _fixture.Fetcher.OnTryDrop = null;
            go.Set();
            await closing;
        }
    }

    [Fact]
    public void An_ended_flight_is_not_raised_at_the_fetcher()
    {
        var flight = Open(Key, FetchPriority.ReadAhead);
        _fixture.Fetcher["s0"].Complete();
        Open(Key, FetchPriority.Waiting);
        Cache.Raise(flight, FetchPriority.Waiting);
        Assert.Empty(_fixture.Fetcher.RaisedIds);
    }

    [Fact]
    public void An_unsent_flight_is_dropped_with_its_last_holder()
    {
        var flight = _fixture.Fly(Key);
        Assert.Same(flight, _fixture.Fly(Key));
        Cache.Close(flight);
        Assert.Empty(_fixture.Fetcher.DroppedIds);
        Cache.Close(flight);
        Assert.Equal(["s0"], _fixture.Fetcher.DroppedIds);
        Assert.Equal((0, 0, 0L), (Cache.Open, Cache.Count, _fixture.Budget.Reserved));
        Assert.NotSame(flight, Open(Key));
    }

    [Fact]
    public void A_sent_flight_is_received_and_cached()
    {
        var flight = _fixture.Fly(Key);
        var attempt = _fixture.Fetcher["s0"].Answer();
        Cache.Close(flight);
        Assert.Equal((0, 1), (Cache.Open, Cache.Count));
        attempt.Complete();
        Assert.Same(flight, Open(Key));
        using var lease = flight.TryLend(0, 100_000);
        Assert.Equal(100_000, lease?.Length);
        Assert.Single(_fixture.Fetcher.Begun);
    }

    [Fact]
    public void A_sent_flight_that_fails_after_its_last_holder_left_is_forgotten()
    {
        Cache.Close(Sent(Key));
        _fixture.Fetcher["s0"].Fail(ContentFault.Missing);
        Assert.Equal((0, 0L), (Cache.Count, _fixture.Budget.Reserved));
    }

    [Fact]
    public void A_pending_flight_can_be_joined_after_its_last_holder_left()
    {
        var flight = Sent(Key);
        Cache.Close(flight);
        Assert.Same(flight, Open(Key));
        _fixture.Fetcher["s0"].Complete();
        Assert.Equal(1, Cache.Open);
    }

    [Theory]
    [InlineData(ContentFault.Missing)]
    [InlineData(ContentFault.Corrupt)]
    [InlineData(ContentFault.Unavailable)]
    public void A_failure_is_not_cached(ContentFault fault)
    {
        var flight = Open(Key);
        _fixture.Fetcher["s0"].Fail(fault);
        Assert.Equal((0, 0L), (Cache.Count, _fixture.Budget.Reserved));
        Assert.NotSame(flight, Open(Key));
        Assert.Equal(2, _fixture.Fetcher.Begun.Count);
    }

    [Fact]
    public void A_fetcher_can_fail_a_flight_at_once()
    {
        _fixture.Fetcher.OnBegin = segment => segment.Fail(ContentFault.Missing);
        var flight = Open(Key);
        Assert.Equal(ContentFault.Missing, flight.Fault);
        Assert.Equal((1, 0), (Cache.Open, Cache.Count));
    }

    [Fact]
    public void Other_expectations_start_a_new_flight_and_the_holders_of_the_first_keep_theirs()
    {
        var first = Open(Key);
        var second = Open(new("s0", 100_000, 100_000));
        Assert.NotSame(first, second);
        Assert.Same(second, Open(SegmentKey.Unknown("s0")));
        _fixture.Fetcher.Begun[0].Complete();
        using var lease = first.TryLend(0, 1);
        Assert.NotNull(lease);
        Assert.Same(second, Open(new("s0", 100_000, 100_000)));
        Assert.Equal(1, Cache.Count);
    }

    [Fact]
    public void Other_expectations_free_the_cached_segment()
    {
        var flight = Sent(Key);
        _fixture.Fetcher["s0"].Complete();
        Cache.Close(flight);
        Open(new("s0", 0, 99_999));
        Assert.Equal(BufferPool.ClassOf(99_999), _fixture.Budget.Reserved);
        Assert.Equal(0, _fixture.Rented);
    }

    [Fact]
    public void Other_expectations_abandon_a_pending_flight_without_holders()
    {
        Cache.Close(Sent(Key));
        Open(new("s0", 0, 99_999));
        _fixture.Fetcher.Begun[0].Complete();
        Assert.Equal(0, _fixture.Rented);
    }

    [Fact]
    public void A_segment_fetched_without_a_known_size_serves_readers_that_know_it()
    {
        var probe = Open(SegmentKey.Unknown("s0"));
        Assert.Equal(BufferPool.ClassOf(1 << 20), _fixture.Budget.Reserved);
        _fixture.Fetcher["s0"].Complete(ManualSegment.BytesOf("s0", 100_000), begin: 0);
        Assert.True(probe.IsFound);
        Assert.Equal(BufferPool.ClassOf(100_000), _fixture.Budget.Reserved);
        Assert.Same(probe, Open(Key));
    }

    [Fact]
    public void The_oldest_segment_is_evicted_first_and_a_held_one_never()
    {
        var size = BufferPool.ClassOf(100_000);
        foreach (var id in new[] { "a", "b", "c" })
            Keep(id);
        var held = Open(new("d", 0, 100_000));
        _fixture.Fetcher["d"].Complete();
        Cache.Close(_fixture.Fly(new SegmentKey("a", 0, 100_000), FetchPriority.Import));

        Cache.Reclaim(1);
        Assert.Equal(3 * size, _fixture.Budget.Reserved);
        Assert.Equal(4, _fixture.Fetcher.Begun.Count);
        Cache.Close(_fixture.Fly("a"));
        Cache.Close(_fixture.Fly("c"));
        Assert.Equal(4, _fixture.Fetcher.Begun.Count);

        Cache.Reclaim(size + 1);
        Assert.Equal(size, _fixture.Budget.Reserved);
        Cache.Reclaim(long.MaxValue);
        Assert.Equal((1, size), (Cache.Count, _fixture.Budget.Reserved));
        using var lease = held.TryLend(0, 1);
        Assert.NotNull(lease);
    }

    [Fact]
    public void Cached_segments_are_evicted_for_segments_being_read()
    {
        for (var i = 0; i < 10; i++)
            Keep($"k{i}", SegmentFixture.MiB);
        Assert.InRange(_fixture.Budget.Reserved, 6L * SegmentFixture.MiB, 8L * SegmentFixture.MiB);
        Assert.Equal(0, _fixture.Budget.Refusals);
    }

    [Fact]
    public void A_refusal_reserves_nothing_and_the_waiter_is_called_when_a_flight_is_released()
    {
        for (var i = 0; i < 7; i++)
            Open(new($"w{i}", 0, SegmentFixture.MiB));
        var waiter = new CountingWaiter();
        Assert.False(Cache.TryOpen(new("x", 0, SegmentFixture.MiB), FetchPriority.ReadAhead, waiter, out _));
        Assert.Equal((7, 0), (Cache.Count, waiter.Calls));
        Cache.Close(_open[0]);
        _open.RemoveAt(0);
        Assert.Equal(1, waiter.Calls);
    }

    private SegmentFlight Open(SegmentKey key, FetchPriority priority = FetchPriority.Waiting)
    {
        var flight = _fixture.Fly(key, priority);
        _open.Add(flight);
        return flight;
    }

    private SegmentFlight Sent(SegmentKey key)
    {
        var flight = _fixture.Fly(key);
        _fixture.Fetcher[key.Id].Send();
        return flight;
    }

    private void Keep(string id, int size = 100_000)
    {
        var flight = _fixture.Fly(new SegmentKey(id, 0, size));
        _fixture.Fetcher[id].Complete();
        Cache.Close(flight);
    }
}

using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Pins;

namespace NzbDav.Library.Tests.Pins;

public sealed class PinnedReaderTests : IDisposable
{
    private const int MiB = PinFixture.MiB;

    private static readonly byte[] Film = SeededBytes.Make(5, 6 * MiB);
    private static readonly ByteSpan[] Ranges = [new(0, MiB + 1), ByteSpan.OfLength(3 * MiB, 100_000), new((5 * MiB) + 17, 6 * MiB)];

    private readonly PinFixture _fixture = new();

    private TimeSpan Patience => TimeSpan.FromSeconds((MiB + 1) / _fixture.Store.PlayingRate);

    private readonly MemoryContent _inner = new(Film);
    private readonly IContent _content;

    public PinnedReaderTests()
    {
        var key = PinFixture.KeyOf(7, Film.Length);
        PinFixture.Pin(_fixture.Store, key, Film, Ranges);
        _content = PinFixture.Over(_fixture.Store, _inner, key);
    }

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Any_range_has_the_right_bytes_and_pinned_ones_are_not_fetched()
    {
        var random = new Random(11);
        long[] edges = [0, 1, MiB, MiB + 1, 3 * MiB, (3 * MiB) + 100_000, (5 * MiB) + 17, Film.Length - 1];
        for (var round = 0; round < 200; round++)
        {
            var start = round % 2 == 0 ? random.Next(Film.Length) : edges[random.Next(edges.Length)];
            var end = round % 3 == 0 ? Math.Min(Film.Length - 1, start + random.Next(5_000)) : random.NextInt64(start, Film.Length);
            var before = _inner.BytesLent;
            var bytes = await ContentReads.ReadAsync(_content, start, end);
            Assert.True(Film.AsSpan((int)start, (int)(end - start)).SequenceEqual(bytes), $"{start} … {end}");
            var pinned = Ranges.Sum(range => range.Intersect(new(start, end)).Length);
            Assert.Equal(end - start - pinned, _inner.BytesLent - before);
        }

        Assert.Equal(_inner.ReadersOpened, _inner.ReadersDisposed);
    }

    [Fact]
    public async Task A_reader_that_leaves_soon_after_the_pin_fetches_nothing()
    {
        await using (var reader = _content.OpenReader(0, Film.Length, ReadIntent.Playback))
        {
            while (reader.Position < Ranges[0].End)
                (await reader.NextAsync(CancellationToken.None)).Dispose();
            using var gone = new CancellationTokenSource();
            var next = reader.NextAsync(gone.Token).AsTask();
            Assert.False(next.IsCompleted);
            await gone.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next);
        }

        Assert.Equal(0, _inner.ReadersOpened);
    }

    [Fact]
    public async Task A_reader_that_stays_gets_the_bytes_after_the_pin()
    {
        var reading = ContentReads.ReadAsync(_content, 0, Film.Length);
        await Until.TrueAsync(() => _fixture.Time.ArmedTimers > 0);
        Assert.Equal(0, _inner.ReadersOpened);
        _fixture.Time.Advance(Patience);
        Assert.Equal(Film, await reading);
        Assert.All(_inner.Requests, request => Assert.Equal(ReadIntent.Probe, request.Intent));
    }

    [Fact]
    public async Task The_bytes_after_the_pin_are_fetched_before_a_reader_that_stays_reaches_them()
    {
        await using var reader = _content.OpenReader(0, Film.Length, ReadIntent.Playback);
        _fixture.Time.Advance(PinnedReader.StayTime);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.Equal(0, _inner.ReadersOpened);
        while (reader.Position < Ranges[0].End - PinnedReader.Near + PinSet.Block)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.Equal(Ranges[0].End, Assert.Single(_inner.Requests).Start);
        Assert.Equal(Ranges[1].Start, Assert.Single(_inner.Requests).End);
    }

    [Fact]
    public async Task A_reader_that_may_leave_gets_one_article_at_a_time_and_full_read_ahead_later()
    {
        var gate = _inner.GateAt(2 * MiB);
        await using var reader = _content.OpenReader(0, Film.Length, ReadIntent.Playback);
        _fixture.Time.Advance(Patience);
        while (reader.Position < 2 * MiB)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.Equal(ReadIntent.Probe, Assert.Single(_inner.Requests).Intent);

        _fixture.Time.Advance(PinnedReader.StayTime);
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.Equal(new MemoryRequest(2 * MiB, Ranges[1].Start, ReadIntent.Playback), _inner.Requests.Last());
        Assert.Equal(1, _inner.ReadersDisposed);
        gate.SetResult();
        using var lease = await next;
        Assert.Equal(Film[(2 * MiB)..(2 * MiB + lease.Length)], lease.Memory.ToArray());
    }

    [Fact]
    public async Task A_long_wait_is_still_reported_from_inside_the_next_pin_and_after_it()
    {
        var wait = new ReaderWait(3, TimeSpan.FromSeconds(2), "news-a took 2 s");
        await using var reader = _content.OpenReader(Ranges[1].Start - 1, Film.Length, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        _inner.Report(ReaderState.Unknown with { LastWait = wait });

        (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.InRange(reader.Position, Ranges[1].Start + 1, Ranges[1].End);
        Assert.Same(wait, reader.Observe().LastWait);

        while (reader.Position <= Ranges[1].End)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.Same(wait, reader.Observe().LastWait);
    }

    [Fact]
    public async Task A_client_that_has_taken_the_pin_gets_full_read_ahead_at_once()
    {
        await using var reader = _content.OpenReader(0, Film.Length, ReadIntent.Playback);
        reader.Follow(new Client());
        while (reader.Position <= Ranges[0].End)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.Equal(new MemoryRequest(Ranges[0].End, Ranges[1].Start, ReadIntent.Playback), Assert.Single(_inner.Requests));
        Assert.Equal(0, _fixture.Time.ArmedTimers);
    }

    [Fact]
    public async Task What_follows_is_opened_before_the_pin_ends_when_the_client_reads_on()
    {
        await using var reader = _content.OpenReader(0, Film.Length, ReadIntent.Playback);
        reader.Follow(new Client { Untaken = PinSet.Block });
        while (reader.Position < Ranges[0].End)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.Equal(Ranges[0].End, Assert.Single(_inner.Requests).Start);
    }

    [Theory]
    [InlineData(PinnedReader.Hold + 1, true)]
    [InlineData(0, false)]
    public async Task A_client_that_no_longer_reads_costs_nothing_until_it_does(long untaken, bool reads)
    {
        // The second has all of it in its own socket, unread.
        var client = new Client { Untaken = untaken, Reads = reads };
        await using var reader = _content.OpenReader(0, Film.Length, ReadIntent.Playback);
        reader.Follow(client);
        while (reader.Position < Ranges[0].End)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.False(next.IsCompleted);
        Assert.Empty(_inner.Requests);
        client.Continue();
        using var lease = await next;
        Assert.Equal(ReadIntent.Playback, Assert.Single(_inner.Requests).Intent);
        Assert.Equal(Film.AsSpan((int)Ranges[0].End, lease.Length), lease.Memory.Span);
    }

    [Fact]
    public async Task A_client_that_stays_without_reading_has_paused()
    {
        var client = new Client { Reads = false };
        await using var reader = _content.OpenReader(0, Film.Length, ReadIntent.Playback);
        reader.Follow(client);
        while (reader.Position < Ranges[0].End)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.Empty(_inner.Requests);
        client.Stay();
        using var lease = await next;
        Assert.Equal(ReadIntent.Playback, Assert.Single(_inner.Requests).Intent);
    }

    [Fact]
    public async Task Of_a_short_pin_the_client_may_hold_all_unread_so_time_decides()
    {
        await using var reader = _content.OpenReader(3 * MiB, Film.Length, ReadIntent.Playback);
        reader.Follow(new Client());
        while (reader.Position < Ranges[1].End)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        var next = reader.NextAsync(CancellationToken.None).AsTask();
        Assert.Empty(_inner.Requests);
        _fixture.Time.Advance(TimeSpan.FromSeconds(Ranges[1].Length / _fixture.Store.PlayingRate));
        using var lease = await next;
        Assert.Equal(ReadIntent.Probe, Assert.Single(_inner.Requests).Intent);
    }

    [Fact]
    public async Task A_requested_range_is_fetched_at_once()
    {
        Assert.Equal(Film[..(2 * MiB)], await ContentReads.ReadAsync(_content, 0, 2 * MiB));
        Assert.Equal(0, _fixture.Time.ArmedTimers);
    }

    [Fact]
    public async Task A_pin_dropped_while_it_is_read_is_replaced_by_the_content()
    {
        await using var reader = _content.OpenReader(0, 2 * MiB, ReadIntent.Playback);
        var bytes = new List<byte>();
        while (reader.Position < 2 * MiB)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            bytes.AddRange(lease.Memory.Span);
            if (bytes.Count >= 200_000)
                _fixture.Store.Drop(7);
        }

        Assert.Equal(Film[..(2 * MiB)], bytes.ToArray());
        Assert.True(_inner.BytesLent >= (2 * MiB) - 300_000);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_pin_that_cannot_be_read_to_its_end_makes_nobody_wait(bool follows)
    {
        await using var reader = _content.OpenReader(0, Film.Length, ReadIntent.Playback);
        reader.Follow(follows ? new Client { Reads = false } : null);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        _fixture.Store.Drop(7);
        var position = (int)reader.Position;
        using var lease = await reader.NextAsync(CancellationToken.None);
        Assert.Equal(Film.AsSpan(position, lease.Length), lease.Memory.Span);
        Assert.Equal(0, _fixture.Time.ArmedTimers);
    }

    [Fact]
    public async Task A_content_fault_is_reported_and_the_next_read_retries()
    {
        _inner.FailAt(MiB + 1, ContentFault.Unavailable, times: 1);
        await using var reader = _content.OpenReader(MiB - 5, MiB + 100, ReadIntent.Playback);
        while (reader.Position < MiB + 1)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        await Assert.ThrowsAsync<ContentException>(() => reader.NextAsync(CancellationToken.None).AsTask());
        Assert.Equal(MiB + 1, reader.Position);
        using var lease = await reader.NextAsync(CancellationToken.None);
        Assert.Equal(Film[(MiB + 1)..(MiB + 1 + lease.Length)], lease.Memory.ToArray());
    }

    [Fact]
    public async Task A_requested_range_that_goes_far_beyond_the_pin_is_fetched_like_all_of_the_file()
    {
        // rclone asks for the first 128 MiB, whatever is read of them.
        var film = SeededBytes.Make(7, 20 * MiB);
        var inner = new MemoryContent(film);
        var key = PinFixture.KeyOf(8, film.Length);
        PinFixture.Pin(_fixture.Store, key, film, new ByteSpan(0, 2 * MiB));
        await using var reader = PinFixture.Over(_fixture.Store, inner, key).OpenReader(0, film.Length - MiB, ReadIntent.Playback);
        reader.Follow(new Client { Untaken = PinnedReader.Hold + 1 });
        while (reader.Position < 2 * MiB)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        using var gone = new CancellationTokenSource();
        var next = reader.NextAsync(gone.Token).AsTask();
        Assert.Empty(inner.Requests);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next);
    }

    /// <summary>A client that takes what the test says.</summary>
    private sealed class Client : IClientBacklog
    {
        private readonly TaskCompletionSource<bool> _changed = new();
        private long _reach;

        public long Untaken { get; set; }

        public bool Reads { get; set; } = true;

        public ClientProgress Sample() => new(Untaken, _reach += Reads ? PinSet.Block : 0);

        /// <summary>It takes all that it was sent, and reads it.</summary>
        public void Continue()
        {
            (Untaken, Reads) = (0, true);
            _changed.SetResult(true);
        }

        /// <summary>The limit passes.</summary>
        public void Stay() => _changed.SetResult(false);

        public async Task<bool> WaitAsync(Func<ClientProgress, bool> isEnough, TimeSpan limit, CancellationToken cancellationToken)
        {
            if (isEnough(Sample()))
                return true;
            if (limit == PinnedReader.BetweenBlocks)
                return false;
            Assert.Equal(PinnedReader.Pauses, limit);
            return await _changed.Task.WaitAsync(cancellationToken) && isEnough(Sample());
        }
    }
}

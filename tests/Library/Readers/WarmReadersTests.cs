using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Readers;

namespace NzbDav.Library.Tests.Readers;

/// <summary>Readers kept between requests.</summary>
public sealed class WarmReadersTests : IDisposable
{
    private const int Size = 20_000_003;
    private const int Segment = 700_000;

    private readonly byte[] _bytes = SeededBytes.Make(3, Size);
    private readonly ManualTimeProvider _time = new();
    private readonly DiagnosticBufferPool _pool = new();
    private readonly WarmReaders _readers;
    private readonly MemoryContent _source;
    private readonly IContent _content;

    public WarmReadersTests()
    {
        _readers = new WarmReaders(_pool.Budget, _time);
        _source = new MemoryContent(_bytes, Segment, _pool);
        _content = _readers.Keep(_source);
    }

    public void Dispose()
    {
        _readers.Dispose();
        Assert.Equal(_source.ReadersOpened, _source.ReadersDisposed);
        _pool.AssertAllReturned();
        _pool.AssertNothingReserved();
    }

    [Theory]
    [InlineData(65_536)]
    [InlineData(700_000)]
    [InlineData(1_000_000)]
    [InlineData(333_333)]
    public async Task A_burst_of_ranges_uses_one_reader(int length)
    {
        for (long at = 0; at < Size; at += length)
            await ReadAsync(at, Math.Min(Size, at + length));

        // One reader per range until the ranges count as a burst, then a few kept readers, each reaching about twice as far as the one
        // before.
        var before = (int)((WarmReaders.BurstLength + length - 1) / length);
        Assert.InRange(_source.ReadersOpened, before + 1, before + 4);
        Assert.All(_source.Requests.Take(before), request => Assert.Equal(request.Start + length, request.End));
        Assert.Equal(Size, _source.Requests.Last().End);
        Assert.Equal(0, _readers.Parked);
    }

    [Fact]
    public async Task Readers_of_isolated_ranges_are_not_kept()
    {
        // Head, tail, middle, and a header read in small pieces.
        await ReadAsync(0, 512 << 10);
        await ReadAsync(Size - (1 << 20), Size);
        await ReadAsync(9_000_000, 10_000_000);
        for (var at = 0; at < 1 << 20; at += 4096)
            await ReadAsync(at, at + 4096);
        Assert.All(_source.Requests.SkipLast(0), request => Assert.True(request.End - request.Start <= 1 << 20));
        Assert.Equal(_source.ReadersOpened, _source.ReadersDisposed);
    }

    [Fact]
    public async Task Small_gaps_are_skipped_and_jumps_open_a_new_reader()
    {
        var at = await BurstAsync();
        var opened = _source.ReadersOpened;
        await ReadAsync(at + 5, at + 100_000);
        await ReadAsync(at + 100_000 + WarmReaders.NearEnough, at + 1_500_000);
        Assert.Equal(opened, _source.ReadersOpened);
        await ReadAsync(at + 1_500_001 + WarmReaders.NearEnough, at + 2_000_000);
        Assert.Equal(opened + 1, _source.ReadersOpened);
        await ReadAsync(100, 200);
        Assert.Equal(opened + 2, _source.ReadersOpened);

        // The open end of the film, continued where the ranges ended.
        await ReadAsync(at + 1_500_000, at + 1_700_000);
        Assert.Equal(opened + 2, _source.ReadersOpened);

        // Beyond the reader's end: another reader is opened.
        await ReadAsync(at + 1_700_000, Size);
        Assert.Equal(opened + 3, _source.ReadersOpened);
    }

    [Fact]
    public async Task A_reader_left_in_the_middle_is_released_at_once()
    {
        var at = await BurstAsync();
        await using (var reader = _content.OpenReader(at, at + 1_000_000, ReadIntent.Playback))
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            Assert.False(lease.IsEmpty);
        }

        Assert.Equal(_source.ReadersOpened, _source.ReadersDisposed);
        Assert.Equal(0, _readers.Parked);
        Assert.Equal(0, _pool.Rented);
    }

    [Fact]
    public async Task RNG_22_a_reader_stalled_for_ten_minutes_continues()
    {
        var at = await BurstAsync();
        await using var reader = _content.OpenReader(at, at + 3_000_000, ReadIntent.Playback);
        while (true)
        {
            _time.Advance(TimeSpan.FromMinutes(10));
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
            Assert.True(_bytes.AsSpan((int)reader.Position - lease.Length, lease.Length).SequenceEqual(lease.Memory.Span));
        }

        Assert.Equal(at + 3_000_000, reader.Position);
    }

    [Fact]
    public async Task A_gap_before_the_last_range_of_a_reader_is_skipped_too()
    {
        // Four ranges of 1,000,000 from 1,000,000 on let the reader continue to 9,000,000.
        var at = await BurstAsync();
        var limit = _source.Requests.Last().End;
        var opened = _source.ReadersOpened;
        await ReadAsync(at, 5_600_000);
        await ReadAsync(5_650_000, limit);
        Assert.Equal(opened, _source.ReadersOpened);
    }

    [Fact]
    public async Task A_parked_reader_is_released_after_its_patience()
    {
        await BurstAsync();
        Assert.Equal(1, _readers.Parked);
        _time.Advance(WarmReaders.ParkedLifetime - TimeSpan.FromSeconds(1));
        Assert.Equal(1, _readers.Parked);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, _readers.Parked);
        Assert.Equal(_source.ReadersOpened, _source.ReadersDisposed);
        Assert.Equal(0, _pool.Rented);
        Assert.Null(_time.NextDue is { } due && due < TimeSpan.FromDays(1) ? due : (TimeSpan?)null);
    }

    [Fact]
    public async Task Parked_readers_are_released_when_memory_is_needed()
    {
        await BurstAsync();
        Assert.False(_pool.Budget.TryReserve(_pool.Budget.Limit, new NoWaiter()));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(0, _readers.Parked);
        Assert.Equal(0, _pool.Rented);
    }

    [Fact]
    public async Task The_number_of_kept_readers_is_limited()
    {
        var contents = Enumerable.Range(0, WarmReaders.MaxParked + 3).Select(_ => new MemoryContent(_bytes, Segment, _pool)).ToList();
        foreach (var source in contents)
            await BurstAsync(_readers.Keep(source));
        Assert.Equal(WarmReaders.MaxParked, _readers.Parked);
        Assert.Equal([0, 0, 0, .. Enumerable.Repeat(1, WarmReaders.MaxParked)],
            contents.Select(source => source.ReadersOpened - source.ReadersDisposed));
    }

    [Fact]
    public async Task A_fault_ends_the_reader_and_the_next_reader_retries()
    {
        var at = await BurstAsync();

        // Beyond the bytes that were already lent when the previous range ended.
        _source.FailAt(at + 700_000, ContentFault.Unavailable, times: 1);
        await using (var reader = _content.OpenReader(at, at + 1_000_000, ReadIntent.Playback))
        {
            await Assert.ThrowsAsync<ContentException>(async () =>
            {
                ContentLease lease;
                do
                {
                    lease = await reader.NextAsync(CancellationToken.None);
                    lease.Dispose();
                }
                while (!lease.IsEmpty);
            });
            Assert.Equal(at + 700_000, reader.Position);
        }

        Assert.Equal(0, _readers.Parked);
        await ReadAsync(at + 700_000, at + 1_000_000);
    }

    [Fact]
    public async Task RNG_21_a_thousand_aborted_reads_leak_nothing()
    {
        var random = new Random(21);
        for (var i = 0; i < 1000; i++)
        {
            var at = random.Next(2) == 0 ? await BurstAsync(_content, pieces: 3) : random.Next(Size - 2_000_000);
            await using var reader = _content.OpenReader(at, at + 1_500_000, ReadIntent.Playback);
            for (var leases = random.Next(3); leases > 0; leases--)
            {
                using var lease = await reader.NextAsync(CancellationToken.None);
                Assert.Equal(_bytes.AsSpan((int)(reader.Position - lease.Length), lease.Length), lease.Memory.Span);
            }
        }

        _time.Advance(WarmReaders.ParkedLifetime);
        Assert.Equal(_source.ReadersOpened, _source.ReadersDisposed);
        Assert.Equal(0, _pool.Rented);
        Assert.Equal(0, _pool.Budget.Reserved);
    }

    /// <summary>Reads consecutive ranges until a reader is kept; returns where they ended.</summary>
    private Task<long> BurstAsync() => BurstAsync(_content);

    private async Task<long> BurstAsync(IContent content, int pieces = 4)
    {
        long at = 1_000_000;
        for (var i = 0; i < pieces; i++, at += 1_000_000)
            await ReadAsync(at, at + 1_000_000, content);
        return at;
    }

    private async Task ReadAsync(long start, long end, IContent? content = null)
    {
        await using var reader = (content ?? _content).OpenReader(start, end, ReadIntent.Playback);
        var at = start;
        while (true)
        {
            Assert.Equal(at, reader.Position);
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
            Assert.True(at + lease.Length <= end);
            Assert.True(_bytes.AsSpan((int)at, lease.Length).SequenceEqual(lease.Memory.Span), $"wrong bytes at {at}");
            at += lease.Length;
        }

        Assert.Equal(end, at);
    }

    private sealed class NoWaiter : IBudgetWaiter
    {
        public void BudgetFreed()
        {
        }
    }
}

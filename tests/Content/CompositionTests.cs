using NzbDav.Fakes;
using static NzbDav.Fakes.ContentReads;

namespace NzbDav.Content.Tests;

/// <summary><see cref="SliceContent"/> and <see cref="ConcatenatedContent"/>.</summary>
public sealed class CompositionTests
{
    private readonly byte[] _bytes = SeededBytes.Make(2, 3000);

    [Theory]
    [InlineData(-1, 1)]
    [InlineData(0, -1)]
    [InlineData(0, 3001)]
    [InlineData(3001, 0)]
    [InlineData(1, long.MaxValue)]
    public void A_slice_must_lie_inside_the_content(long start, long length) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new SliceContent(new MemoryContent(_bytes), start, length));

    [Theory]
    [InlineData(-1, 1)]
    [InlineData(2, 1)]
    [InlineData(0, 101)]
    [InlineData(101, 101)]
    public void A_range_must_lie_inside_the_content(long start, long end)
    {
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new SliceContent(new MemoryContent(_bytes), 5, 100).OpenReader(start, end, ReadIntent.Probe));
        Assert.Throws<ArgumentOutOfRangeException>(
            () => new ConcatenatedContent([new MemoryContent(_bytes[..100])]).OpenReader(start, end, ReadIntent.Probe));
    }

    [Fact]
    public async Task A_slice_never_asks_for_anything_outside()
    {
        var source = new MemoryContent(_bytes);

        Assert.Equal(_bytes[150..180], await ReadAsync(new SliceContent(new SliceContent(source, 100, 1000), 40, 100), 10, 40));

        Assert.Equal([new MemoryRequest(150, 180, ReadIntent.Playback)], source.Requests);
    }

    [Fact]
    public async Task A_slice_reports_positions_relative_to_itself()
    {
        await using var reader = new SliceContent(new MemoryContent(_bytes, segmentSize: 10), 5, 100)
            .OpenReader(7, 50, ReadIntent.Playback);
        Assert.Equal(7, reader.Position);

        (await reader.NextAsync(CancellationToken.None)).Dispose();

        Assert.Equal(15, reader.Position);
    }

    [Fact]
    public async Task Any_range_of_a_concatenation_is_right()
    {
        for (var seed = 0; seed < 200; seed++)
        {
            var random = new Random(seed);
            var pool = new DiagnosticBufferPool();
            var cuts = Enumerable.Range(0, random.Next(0, 12)).Select(_ => random.Next(_bytes.Length + 1)).Append(0).Append(_bytes.Length)
                .Order().ToArray();
            var sources = cuts.Zip(cuts.Skip(1), (a, b) => new MemoryContent(_bytes[a..b], random.Next(1, 500), pool)).ToArray();
            var whole = new ConcatenatedContent(sources);
            Assert.Equal(_bytes.Length, whole.Length);
            var start = random.Next(_bytes.Length + 1);
            var end = random.Next(start, _bytes.Length + 1);

            Assert.Equal(_bytes[start..end], await ReadAsync(whole, start, end));

            pool.AssertAllReturned();
            Assert.All(sources, source => Assert.Equal(source.ReadersOpened, source.ReadersDisposed));
            Assert.All(sources, source => Assert.True(source.ReadersOpened <= 1));
            Assert.Equal(end - start, sources.Sum(source => source.Requests.Sum(request => request.End - request.Start)));
        }
    }

    [Fact]
    public async Task A_concatenation_of_nothing_is_empty()
    {
        Assert.Equal(0, new ConcatenatedContent([]).Length);
        Assert.Empty(await ReadAsync(new ConcatenatedContent([]), 0, 0));
        Assert.Empty(await ReadAsync(new ConcatenatedContent([new MemoryContent([])]), 0, 0));
    }

    [Fact]
    public async Task The_next_part_is_opened_only_when_its_beginning_is_near()
    {
        var first = new MemoryContent(new byte[ConcatenatedReader.Near + (3 << 20)], segmentSize: 1 << 20);
        var second = new MemoryContent(new byte[ConcatenatedReader.Near + (2 << 20)], segmentSize: 1 << 20);
        var third = new MemoryContent(new byte[10]);
        var whole = new ConcatenatedContent([first, second, third]);
        await using var reader = whole.OpenReader(0, whole.Length, ReadIntent.Playback);

        var opened = new List<(int, int, int)>();
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
            opened.Add((first.ReadersOpened, second.ReadersOpened, third.ReadersOpened));
        }

        // A lease is 1 MiB: at the fourth, 4 MiB of the first part are left; at the third of the second part, likewise.
        Assert.Equal(
            [(1, 0, 0), (1, 0, 0), (1, 0, 0), .. Enumerable.Repeat((1, 1, 0), 6), .. Enumerable.Repeat((1, 1, 1), 5)],
            opened);
    }

    [Fact]
    public async Task A_part_beyond_the_range_is_never_opened()
    {
        MemoryContent[] parts = [new(new byte[100]), new(new byte[100]), new(new byte[100])];

        await ReadAsync(new ConcatenatedContent(parts), 50, 200);

        Assert.Equal([1, 1, 0], parts.Select(part => part.ReadersOpened));
    }

    [Fact]
    public async Task A_probe_opens_nothing_ahead()
    {
        MemoryContent[] parts = [new(new byte[100]), new(new byte[100])];
        await using var reader = new ConcatenatedContent(parts).OpenReader(0, 200, ReadIntent.Probe);

        (await reader.NextAsync(CancellationToken.None)).Dispose();

        Assert.Equal([1, 0], parts.Select(part => part.ReadersOpened));
    }

    [Fact]
    public async Task Only_a_few_tiny_parts_are_open_at_once()
    {
        var parts = Enumerable.Range(0, 100).Select(_ => new MemoryContent(new byte[10])).ToArray();
        await using (var reader = new ConcatenatedContent(parts).OpenReader(0, 1000, ReadIntent.Playback))
        {
            for (var i = 0; i < 50; i++)
                (await reader.NextAsync(CancellationToken.None)).Dispose();
            Assert.Equal((53, 49), (parts.Sum(p => p.ReadersOpened), parts.Sum(p => p.ReadersDisposed)));
        }

        Assert.Equal(53, parts.Sum(p => p.ReadersDisposed));
    }

    [Fact]
    public async Task A_failure_stays_at_its_position_and_can_be_retried()
    {
        var second = new MemoryContent(_bytes);
        second.FailAt(0, ContentFault.Unavailable, times: 1);
        await using var reader = new ConcatenatedContent([new MemoryContent([1]), second]).OpenReader(0, 3001, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();

        await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));

        Assert.Equal(1, reader.Position);
        using var lease = await reader.NextAsync(CancellationToken.None);
        Assert.Equal(_bytes, lease.Memory.ToArray());
    }

    [Fact]
    public async Task Parts_opened_ahead_give_way_like_the_one_that_is_read()
    {
        MemoryContent[] parts = [new(new byte[100]), new(new byte[100]), new(new byte[100])];
        await using var reader = new ConcatenatedContent(parts).OpenReader(0, 300, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();

        reader.SetYieldMode(YieldMode.Scan);
        Assert.All(parts, static part => Assert.Equal([YieldMode.Scan], part.Ways));

        (await reader.NextAsync(CancellationToken.None)).Dispose();
        reader.SetYieldMode(mode: null);
        Assert.Equal([YieldMode.Scan, null, null], parts.Select(static part => part.Ways.Single()));
    }

    [Fact]
    public async Task A_part_opened_later_gives_way_from_the_start()
    {
        MemoryContent[] parts = [new(new byte[ConcatenatedReader.Near + (2 << 20)], segmentSize: 1 << 20), new(new byte[100])];
        var whole = new ConcatenatedContent(parts);
        await using var reader = whole.OpenReader(0, whole.Length, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        reader.SetYieldMode(YieldMode.Scan);
        Assert.Empty(parts[1].Ways);

        while (parts[1].ReadersOpened == 0)
            (await reader.NextAsync(CancellationToken.None)).Dispose();

        Assert.Equal([YieldMode.Scan], parts[1].Ways);
    }

    [Fact]
    public async Task A_long_wait_is_still_reported_after_the_part_in_which_it_was()
    {
        var wait = new ReaderWait(3, TimeSpan.FromSeconds(2), "news-a took 2 s");
        MemoryContent[] parts = [new(new byte[100]), new(new byte[100])];
        await using var reader = new ConcatenatedContent(parts).OpenReader(0, 200, ReadIntent.Probe);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        parts[0].Report(ReaderState.Unknown with { LastWait = wait });

        (await reader.NextAsync(CancellationToken.None)).Dispose();
        Assert.Same(wait, reader.Observe().LastWait);

        var next = new ReaderWait(4, TimeSpan.FromSeconds(1), Trace: null);
        parts[1].Report(ReaderState.Unknown with { LastWait = next });
        Assert.Same(next, reader.Observe().LastWait);
    }

    [Fact]
    public void A_delegating_reader_passes_on_every_member()
    {
        var members = typeof(ContentReader).GetMethods().Where(static method => method is { IsVirtual: true, IsFinal: false }
            && method.DeclaringType == typeof(ContentReader));

        Assert.Empty(members.Select(static method => method.Name).Except(
            typeof(DelegatingReader).GetMethods().Where(static method => method.DeclaringType == typeof(DelegatingReader))
                .Select(static method => method.Name)));
    }

    [Fact]
    public async Task A_disposed_reader_throws()
    {
        var reader = new ConcatenatedContent([new MemoryContent([1])]).OpenReader(0, 1, ReadIntent.Playback);
        await reader.DisposeAsync();
        await reader.DisposeAsync();

        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await reader.NextAsync(CancellationToken.None));
    }
}

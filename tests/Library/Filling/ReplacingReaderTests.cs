using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Filling;

namespace NzbDav.Library.Tests.Filling;

/// <summary>A film of which bytes are lost is read on from another copy of its release.</summary>
public sealed class ReplacingReaderTests
{
    private const int Length = 400_000;
    private const int Lost = 210_000;

    private static readonly byte[] Film = SeededBytes.Make(3, Length);

    [Theory]
    [InlineData(ContentFault.Missing)]
    [InlineData(ContentFault.Corrupt)]
    public async Task A_reader_goes_on_in_a_copy_where_bytes_are_lost(ContentFault fault)
    {
        var own = Holed(fault);
        var copies = new Copies(new MemoryContent(Film));
        var content = Open(own, copies);

        Assert.Equal(Film, await ReadAsync(content, 0, ReadIntent.Playback));
        Assert.Equal(1, copies.Asked);

        // The next reader begins in the copy.
        var before = own.ReadersOpened;
        Assert.Equal(Film[100_000..], await ReadAsync(content, 100_000, ReadIntent.Download));
        Assert.Equal((before, 1), (own.ReadersOpened, copies.Asked));
    }

    [Fact]
    public async Task A_copy_with_other_bytes_or_another_length_is_skipped_and_the_next_is_tried()
    {
        var copies = new Copies(
            new MemoryContent(SeededBytes.Make(4, Length)), new MemoryContent(SeededBytes.Make(3, Length - 1)), new MemoryContent(Film));

        Assert.Equal(Film, await ReadAsync(Open(Holed(ContentFault.Missing), copies), 0, ReadIntent.Playback));
        Assert.Equal(3, copies.Asked);
    }

    [Fact]
    public async Task A_copy_that_fails_where_it_is_compared_is_skipped()
    {
        var broken = new MemoryContent(Film);
        broken.FailAt(0, ContentFault.Missing);
        var copies = new Copies(broken, new MemoryContent(Film));

        Assert.Equal(Film, await ReadAsync(Open(Holed(ContentFault.Missing), copies), 0, ReadIntent.Playback));
    }

    [Fact]
    public async Task Without_a_copy_the_reader_fails_as_the_file_does()
    {
        var content = Open(Holed(ContentFault.Missing), new Copies(new MemoryContent(SeededBytes.Make(4, Length))));

        var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(content, 0, ReadIntent.Playback));
        Assert.Equal(ContentFault.Missing, error.Fault);
    }

    [Fact]
    public async Task Providers_that_do_not_answer_are_waited_for_and_checks_read_the_file_itself()
    {
        var copies = new Copies(new MemoryContent(Film));
        var error = await Assert.ThrowsAsync<ContentException>(
            () => ReadAsync(Open(Holed(ContentFault.Unavailable), copies), 0, ReadIntent.Playback));
        Assert.Equal((ContentFault.Unavailable, 0), (error.Fault, copies.Asked));

        error = await Assert.ThrowsAsync<ContentException>(
            () => ReadAsync(Open(Holed(ContentFault.Missing), copies), 0, ReadIntent.Health));
        Assert.Equal((ContentFault.Missing, 0), (error.Fault, copies.Asked));
    }

    [Fact]
    public async Task A_copy_that_fails_in_its_turn_is_left_for_the_next_and_an_equal_one_without_the_bytes_is_none()
    {
        var second = new MemoryContent(Film);
        second.FailAt(300_000, ContentFault.Missing);
        var copies = new Copies(second, new MemoryContent(Film));
        var content = Open(Holed(ContentFault.Missing), copies);
        Assert.Equal(Film, await ReadAsync(content, 0, ReadIntent.Playback));
        Assert.Equal(2, copies.Asked);

        // Checks ask what the file itself has, also after it was replaced.
        var error = await Assert.ThrowsAsync<ContentException>(() => ReadAsync(content, 0, ReadIntent.Health));
        Assert.Equal(ContentFault.Missing, error.Fault);

        // All copies lack what the file lacks.
        var alike = Holed(ContentFault.Missing);
        await Assert.ThrowsAsync<ContentException>(
            () => ReadAsync(Open(Holed(ContentFault.Missing), new Copies(alike)), 0, ReadIntent.Playback));
    }

    [Fact]
    public async Task Nothing_is_decided_while_the_providers_are_away()
    {
        var time = new ManualTimeProvider();
        var own = Holed(ContentFault.Missing);
        own.FailAt(0, ContentFault.Unavailable, times: 1);
        var copies = new Copies(new MemoryContent(Film));
        var content = Open(own, copies, time);
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(content, 200_000, ReadIntent.Playback));
        Assert.Equal(1, copies.Asked);

        // Not for each read, and again after a pause.
        await Assert.ThrowsAsync<ContentException>(() => ReadAsync(content, 200_000, ReadIntent.Playback));
        Assert.Equal(1, copies.Asked);
        time.Advance(ReplacingContent.Pause);
        Assert.Equal(Film[200_000..], await ReadAsync(content, 200_000, ReadIntent.Playback));
        Assert.Equal(2, copies.Asked);
    }

    [Fact]
    public async Task A_search_that_takes_too_long_leaves_the_file_s_own_error()
    {
        var time = new ManualTimeProvider();
        var slow = new MemoryContent(Film);
        slow.GateAt(0);
        var reading = ReadAsync(Open(Holed(ContentFault.Missing), new Copies(slow), time), 200_000, ReadIntent.Playback);
        await Until.TrueAsync(() => slow.ReadersOpened > 0);
        Assert.False(reading.IsCompleted);
        time.Advance(ReplacingContent.Patience);
        Assert.Equal(ContentFault.Missing, (await Assert.ThrowsAsync<ContentException>(() => reading)).Fault);
    }

    [Fact]
    public async Task A_repair_that_takes_long_is_not_waited_for()
    {
        var time = new ManualTimeProvider();
        var own = new MemoryContent(Film);
        own.GateAt(Lost);
        var copies = new Copies(new MemoryContent(Film));
        await using var reader = Open(own, copies, time).OpenReader(Lost, Length, ReadIntent.Playback);
        own.Report(new ReaderState(0, 3, -1) { Source = RepairingReader.RepairSource });

        var next = reader.NextAsync(CancellationToken.None).AsTask();
        await time.WhenArmedAsync(1);
        Assert.False(next.IsCompleted);
        time.Advance(ReplacingReader.RepairPatience);

        using var lease = await next;
        Assert.Equal(Film.AsSpan(Lost, lease.Length), lease.Memory.Span);
        Assert.Equal(1, copies.Asked);
        Assert.Equal(own.ReadersOpened, own.ReadersDisposed);
    }

    [Fact]
    public async Task An_article_that_is_slow_is_waited_for()
    {
        var time = new ManualTimeProvider();
        var own = new MemoryContent(Film);
        var gate = own.GateAt(Lost);
        var copies = new Copies(new MemoryContent(Film));
        await using var reader = Open(own, copies, time).OpenReader(Lost, Length, ReadIntent.Playback);

        var next = reader.NextAsync(CancellationToken.None).AsTask();
        await time.WhenArmedAsync(1);
        time.Advance(ReplacingReader.RepairPatience);
        await time.WhenArmedAsync(1);
        gate.SetResult();

        using var lease = await next;
        Assert.Equal(Film.AsSpan(Lost, lease.Length), lease.Memory.Span);
        Assert.Equal(0, copies.Asked);
    }

    private static MemoryContent Holed(ContentFault fault)
    {
        var own = new MemoryContent(Film);
        own.FailAt(Lost, fault);
        return own;
    }

    private static ReplacingContent Open(MemoryContent own, Copies copies, TimeProvider? time = null) => new(
        own, own, Item(0), copies, (item, _) => new(copies.Contents[(int)item.Id - 1]), time ?? new ManualTimeProvider(),
        NullLogger.Instance);

    private static async Task<byte[]> ReadAsync(IContent content, long start, ReadIntent intent)
    {
        var bytes = new MemoryStream();
        await using var reader = content.OpenReader(start, Length, intent);
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                return bytes.ToArray();
            bytes.Write(lease.Memory.Span);
        }
    }

    private static CatalogItem Item(long id) => new()
    {
        Id = id,
        ParentId = 0,
        Name = "film.mkv",
        Kind = CatalogItemKind.File,
        Size = Length,
        Created = DateTimeOffset.UnixEpoch,
        Modified = DateTimeOffset.UnixEpoch,
    };

    private sealed class Copies(params MemoryContent[] contents) : IFileCopies
    {
        public MemoryContent[] Contents { get; } = contents;

        public int Asked { get; private set; }

        public bool Has(CatalogItem item) => Contents.Length > 0;

        public ValueTask<CatalogItem?> NextAsync(CatalogItem item, IReadOnlySet<long> tried, CancellationToken cancellationToken)
        {
            var next = Enumerable.Range(1, Contents.Length).FirstOrDefault(id => !tried.Contains(id));
            if (next > 0)
                Asked++;
            return new(next > 0 ? Item(next) : null);
        }
    }
}

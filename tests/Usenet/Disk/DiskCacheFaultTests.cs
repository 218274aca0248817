using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Disk;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Disk;

/// <summary>A full, broken or slow disk limits the cache, but never fails a read.</summary>
public sealed class DiskCacheFaultTests
{
    private static readonly IOException Full = new("No space left on device", 28);

    [Fact]
    public async Task A_full_disk_shrinks_the_cache_which_continues_when_there_is_room()
    {
        var clock = new ManualTimeProvider();
        await using var fixture = new DiskCacheFixture(time: clock);
        var (first, second) = (fixture.Post("first.mkv", 60), fixture.Post("second.mkv", 12));
        await fixture.BeginAsync();
        await fixture.ReadAsync(first);
        var size = fixture.Cache.Status.Size;
        fixture.Files.WriteFault = Full;
        await fixture.ReadAsync(second);
        var status = fixture.Cache.Status;
        Assert.Equal(DiskCacheState.NoRoom, status.State);
        Assert.Contains("No space left", status.Reason, StringComparison.Ordinal);
        Assert.True(status.Size < size);
        Assert.Equal(72, fixture.Asked);

        fixture.Files.WriteFault = null;
        clock.Advance(TimeSpan.FromMinutes(1));
        await fixture.Cache.FlushAsync();
        Assert.Equal((DiskCacheState.On, null), (fixture.Cache.Status.State, fixture.Cache.Status.Reason));
        await fixture.ReadAsync(second);
        var asked = fixture.Asked;
        await fixture.ReadAsync(second);
        Assert.Equal(asked, fixture.Asked);
    }

    [Fact]
    public async Task The_cache_leaves_free_space_on_the_disk()
    {
        var clock = new ManualTimeProvider();
        await using var fixture = new DiskCacheFixture(time: clock);
        var (first, second) = (fixture.Post("first.mkv", 30), fixture.Post("second.mkv", 30));
        await fixture.BeginAsync();
        await fixture.ReadAsync(first);
        fixture.Files.Free = DiskCache.MinFreeBytes;
        await fixture.ReadAsync(second);
        Assert.Equal(DiskCacheState.NoRoom, fixture.Cache.Status.State);
        Assert.Contains("1 GiB", fixture.Cache.Status.Reason, StringComparison.Ordinal);
        Assert.Equal(60, fixture.Asked);
    }

    [Fact]
    public async Task A_broken_disk_stops_the_cache_with_the_reason_and_is_retried()
    {
        var clock = new ManualTimeProvider();
        await using var fixture = new DiskCacheFixture(time: clock);
        var file = fixture.Post("film.mkv", 12);
        await fixture.BeginAsync();
        fixture.Files.WriteFault = new IOException("Input/output error", 5);
        await fixture.ReadAsync(file);
        Assert.Equal((DiskCacheState.Failing, "Input/output error", 0L),
            (fixture.Cache.Status.State, fixture.Cache.Status.Reason, fixture.Cache.Status.Articles));
        fixture.Files.WriteFault = null;
        clock.Advance(TimeSpan.FromMinutes(5));
        await fixture.Cache.FlushAsync();
        await fixture.ReadAsync(file);
        Assert.Equal((DiskCacheState.On, 12L, 24), (fixture.Cache.Status.State, fixture.Cache.Status.Articles, fixture.Asked));
    }

    [Fact]
    public async Task Unreadable_articles_come_from_the_provider()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", 12);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        fixture.Files.ReadFault = new IOException("Input/output error", 5);
        await fixture.ReadAsync(file);
        Assert.Equal(24, fixture.Asked);

        // It was fetched anew, so it is kept anew.
        fixture.Files.ReadFault = null;
        await fixture.ReadAsync(file);
        Assert.Equal(24, fixture.Asked);
    }

    [Fact]
    public async Task Deleted_cache_files_are_no_fault()
    {
        await using var fixture = new DiskCacheFixture();
        var file = fixture.Post("film.mkv", 37);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        foreach (var path in fixture.Segments)
            File.Delete(path);
        await fixture.ReadAsync(file);
        Assert.Equal(37L, fixture.Cache.Status.Misses - 37);
        Assert.Equal(74, fixture.Asked);
    }

    [Fact]
    public async Task A_provider_is_asked_when_the_disk_hangs()
    {
        var clock = new ManualTimeProvider();
        await using var fixture = new DiskCacheFixture(time: clock);
        var file = fixture.Post("film.mkv", 6);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        using var gate = new ManualResetEventSlim();
        fixture.Files.ReadGate = gate;
        var reads = fixture.Files.Reads;
        var late = Open(fixture, file, 0);
        await Until.TrueAsync(() => fixture.Files.Reads > reads);
        Assert.False(late.IsEnded);
        clock.Advance(DiskFetcher.DiskTimeout + TimeSpan.FromMilliseconds(100));
        await late.WhenEnded();
        Assert.Equal((true, 7), (late.IsFound, fixture.Asked));

        // As long as it hangs it is not asked.
        var next = Open(fixture, file, 1);
        await next.WhenEnded();
        Assert.Equal((true, 8), (next.IsFound, fixture.Asked));
        fixture.Files.ReadGate = null;
        gate.Set();
        fixture.Client.Cache.Close(late);
        fixture.Client.Cache.Close(next);

        // And then it is.
        await fixture.ForgetAsync();
        await Until.TrueAsync(() => fixture.Cache.Status.Hits == 1);
        await fixture.ReadAsync(file);
        Assert.Equal(8, fixture.Asked);
    }

    [Fact]
    public async Task A_provider_whose_answer_the_disk_overtakes_is_asked_once()
    {
        var clock = new ManualTimeProvider();
        await using var fixture = new DiskCacheFixture(time: clock);
        var file = fixture.Post("film.mkv", 6);
        await fixture.BeginAsync();
        await fixture.ReadAsync(file);
        using var disk = new ManualResetEventSlim();
        using var provider = new ManualResetEventSlim();
        fixture.Files.ReadGate = disk;
        fixture.Mock.Faults.Add(Fault.Missing, FaultTarget.Where(_ =>
        {
            provider.Wait();
            return false;
        }));
        var reads = fixture.Files.Reads;
        var flight = Open(fixture, file, 0);
        await Until.TrueAsync(() => fixture.Files.Reads > reads);
        clock.Advance(DiskFetcher.DiskTimeout + TimeSpan.FromMilliseconds(100));
        await Until.TrueAsync(() => fixture.Asked == 7);
        disk.Set();
        await flight.WhenEnded();
        provider.Set();
        await Until.TrueAsync(() => fixture.Client.RequestsOnWire == 0 || fixture.Asked > 7);
        Assert.Equal((true, 7), (flight.IsFound, fixture.Asked));
        fixture.Client.Cache.Close(flight);
    }

    [Fact]
    public async Task A_disk_slower_than_the_line_delays_no_reader()
    {
        await using var fixture = new DiskCacheFixture();
        var articles = (DiskCache.MostQueued / DiskCacheFixture.ArticleSize) + 100;
        var file = fixture.Post("film.mkv", articles);
        await fixture.BeginAsync();
        using var gate = new ManualResetEventSlim();
        fixture.Files.WriteGate = gate;

        // Read to its end while nothing is written.
        await UsenetFixture.AssertReadsAsync(fixture.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Source.Length);
        Assert.InRange(fixture.Cache.Status.Dropped, 1L, articles);
        fixture.Files.WriteGate = null;
        gate.Set();
        await fixture.Cache.FlushAsync();
        Assert.Equal(articles, fixture.Cache.Status.Articles + fixture.Cache.Status.Dropped);
    }

    private static SegmentFlight Open(DiskCacheFixture fixture, PostedFile file, int index)
    {
        var segment = file.Segments[index];
        Assert.True(fixture.Client.Cache.TryOpen(
            new SegmentKey(segment.MessageId, segment.Offset, segment.Size), FetchPriority.Waiting, waiter: null, out var flight));
        return flight;
    }
}

using NzbDav.Content.Recording;
using NzbDav.Fakes;

namespace NzbDav.Content.Tests.Recording;

public sealed class TimelineRingTests
{
    [Fact]
    public void Keeps_the_latest_entries_and_forgets_the_oldest()
    {
        var ring = new TimelineRing(4);
        Assert.Empty(ring.Since(0));
        for (var i = 0; i < 10; i++)
            ring.Add(new TimelineEntry { At = i * 100 });

        Assert.Equal([(6, 600), (7, 700), (8, 800), (9, 900)], ring.Since(0).Select(entry => ((int)entry.Sequence, (int)entry.At)));
        Assert.Equal([8, 9], ring.Since(8).Select(entry => (int)entry.Sequence));
        Assert.Empty(ring.Since(10));
        Assert.Equal((10, 4), (ring.Next, ring.Capacity));
    }

    [Fact]
    public void Adding_allocates_nothing()
    {
        var ring = new TimelineRing(64);
        ring.Add(new TimelineEntry { At = 1 });
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1_000; i++)
            ring.Add(new TimelineEntry { At = i, Kind = TimelineKind.Article, Bytes = 716_800 });

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public async Task Entries_of_several_threads_are_each_kept_once()
    {
        var ring = new TimelineRing(8_000);
        await Task.WhenAll(Enumerable.Range(0, 8).Select(thread => Task.Run(() =>
        {
            for (var i = 0; i < 1_000; i++)
                ring.Add(new TimelineEntry { Id = (ulong)((thread * 1_000) + i) });
        })));

        Assert.Equal(Enumerable.Range(0, 8_000).Select(number => (ulong)number), ring.Since(0).Select(entry => entry.Id).Order());
        Assert.Equal(Enumerable.Range(0, 8_000), ring.Since(0).Select(entry => (int)entry.Sequence));
    }

    [Fact]
    public void Entries_are_taken_once_in_order_of_time()
    {
        var timeline = new Timeline(new ManualTimeProvider());
        timeline.Streams.Add(new TimelineEntry { At = 30 });
        timeline.Providers.Add(new TimelineEntry { At = 20, Kind = TimelineKind.Article });
        timeline.Streams.Add(new TimelineEntry { At = 10 });
        long streams = 0, providers = 0;

        Assert.Equal([10, 20, 30], timeline.ReadSince(ref streams, ref providers).Select(entry => (int)entry.At));
        Assert.Empty(timeline.ReadSince(ref streams, ref providers));
        timeline.Providers.Add(new TimelineEntry { At = 40, Kind = TimelineKind.Article });
        Assert.Equal([40], timeline.ReadSince(ref streams, ref providers).Select(entry => (int)entry.At));
    }
}

using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Api.Native.Providers;
using NzbDav.Content;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Status;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet;
using NzbDav.WebDav.Streams;

namespace NzbDav.EndToEnd.Tests.Api;

/// <summary>Series of the last hour and the last day, on a clock that the test moves.</summary>
public sealed class SeriesTests
{
    private readonly ManualTimeProvider _clock = new();

    [Fact]
    public void A_ring_keeps_an_hour_of_seconds_and_a_day_of_minutes()
    {
        var ring = new SeriesRing(0);
        const long Last = (86_400 * 2) + 30;
        for (var second = 0L; second <= Last; second++)
            ring.Add(second, second % 60);
        var hour = new double?[SeriesRing.Seconds];
        ring.Read(SeriesSpan.Hour, Last - SeriesRing.Seconds + 1, hour);
        Assert.Equal(Enumerable.Range(0, SeriesRing.Seconds).Select(i => (double?)((Last - SeriesRing.Seconds + 1 + i) % 60)), hour);
        var day = new double?[SeriesRing.Minutes];
        ring.Read(SeriesSpan.Day, (Last / 60) - SeriesRing.Minutes, day);
        Assert.All(day, static minute => Assert.Equal(29.5, minute));

        // The current minute has no value yet, nor has anything older than the ring.
        var edge = new double?[2];
        ring.Read(SeriesSpan.Day, (Last / 60) - 1, edge);
        Assert.Equal([29.5, null], edge);
        ring.Read(SeriesSpan.Hour, Last - SeriesRing.Seconds, edge);
        Assert.Equal([null, (Last - SeriesRing.Seconds + 1) % 60], edge);
    }

    [Fact]
    public void Skipped_seconds_get_the_mean_and_nothing_precedes_the_first_sample()
    {
        var ring = new SeriesRing(10);
        ring.Add(10, 1);
        ring.Add(14, 5);
        var values = new double?[6];
        ring.Read(SeriesSpan.Hour, 9, values);
        Assert.Equal([null, 1, 5, 5, 5, 5], values);
    }

    [Fact]
    public async Task Provider_series_follow_renumbered_accounts_and_sampling_allocates_nothing()
    {
        await using var news = new NewsServers(new MockProviderOptions { Name = "a", Username = "a", Password = "a" },
            new MockProviderOptions { Name = "b", Username = "b", Password = "b" });
        await using var usenet = new UsenetClient(
            news.Accounts, new BufferPool(new BufferBudget(64 << 20)), TimeProvider.System, NullLogger<UsenetClient>.Instance);
        usenet.Start();
        var numbers = new Numbers { Now = [0, 1] };
        using var streams = new ActiveStreams(_clock);
        using var recorder = new SeriesRecorder(usenet, numbers, streams, _clock, new NoServices());
        var file = news.Post("film.mkv", 2_000_000);
        Look(recorder);
        foreach (var segment in file.Segments)
            await usenet.ProbeAsync(segment.MessageId, FetchPriority.Import, CancellationToken.None);
        Look(recorder);
        var brought = usenet.Providers[0].Bytes;
        Assert.Equal(2_000_000, brought);
        AssertLine(recorder, "provider.0", "a", 0, brought);
        AssertLine(recorder, "provider.1", "b", 0, 0);
        Assert.Equal(brought, recorder.Now.Rate);

        // Swap the accounts and give one another limit: a new set of connections for the same account.
        usenet.SetProviders([news.Accounts[1] with { MaxConnections = 3 }, news.Accounts[0]]);
        Look(recorder);
        AssertLine(recorder, "provider.0", "b", 0, 0, 0);
        AssertLine(recorder, "provider.1", "a", 0, brought, 0);

        // Account numbers with gaps, and one account removed.
        numbers.Now = [7];
        usenet.SetProviders([news.Accounts[0]]);
        Look(recorder);
        AssertLine(recorder, "provider.7", "a", 0, brought, 0, 0);
        Assert.Equal(["provider.7", "torrents.down", "torrents.up", "streams", "memory", "cpu"],
            recorder.Read(SeriesSpan.Hour).Lines.Select(static line => line.Name));
        Assert.InRange(Line(recorder, "memory").Values[^1]!.Value, 20_000_000, 10_000_000_000);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100; i++)
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            recorder.Sample();
        }

        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
        var series = recorder.Read(SeriesSpan.Day);
        Assert.Equal((60, 1), (series.StepSeconds, series.Lines[0].Values.Count));
        Assert.Equal(_clock.GetUtcNow() - TimeSpan.FromSeconds(104), series.Start);
    }

    [Fact]
    public async Task A_timer_that_fires_after_the_end_takes_no_sample()
    {
        await using var news = new NewsServers();
        await using var usenet = new UsenetClient(
            news.Accounts, new BufferPool(new BufferBudget(64 << 20)), TimeProvider.System, NullLogger<UsenetClient>.Instance);
        using var streams = new ActiveStreams(_clock);
        var recorder = new SeriesRecorder(usenet, new Numbers { Now = [0] }, streams, _clock, new NoServices());
        Look(recorder);
        var last = recorder.Now;
        recorder.Dispose();
        Look(recorder);
        Assert.Equal(last, recorder.Now);
    }

    [Fact]
    public async Task Moved_is_raised_once_when_traffic_begins()
    {
        await using var news = new NewsServers();
        await using var usenet = new UsenetClient(
            news.Accounts, new BufferPool(new BufferBudget(64 << 20)), TimeProvider.System, NullLogger<UsenetClient>.Instance);
        usenet.Start();
        using var streams = new ActiveStreams(_clock);
        using var recorder = new SeriesRecorder(usenet, new Numbers { Now = [0] }, streams, _clock, new NoServices());
        var moved = 0;
        recorder.Moved += () => moved++;
        Look(recorder);
        var file = news.Post("film.mkv", 2_000_000);
        for (var i = 0; i < 2; i++)
        {
            await usenet.ProbeAsync(file.Segments[i].MessageId, FetchPriority.Import, CancellationToken.None);
            Look(recorder);
        }

        Assert.Equal(1, moved);
    }

    private static void AssertLine(SeriesRecorder recorder, string name, string label, params double?[] values)
    {
        var line = Line(recorder, name);
        Assert.Equal(label, line.Label);
        Assert.Equal(values, line.Values);
    }

    private static SeriesLineBody Line(SeriesRecorder recorder, string name) =>
        Assert.Single(recorder.Read(SeriesSpan.Hour).Lines, line => line.Name == name);

    private void Look(SeriesRecorder recorder)
    {
        _clock.Advance(TimeSpan.FromSeconds(1));
        recorder.Sample();
    }

    private sealed class Numbers : IProviderNumbers
    {
        public IReadOnlyList<int> Now { get; set; } = [];
    }

    private sealed class NoServices : IServiceProvider
    {
        public object? GetService(Type serviceType) => null;
    }
}

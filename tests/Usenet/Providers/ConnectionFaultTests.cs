using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Tests.Articles;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>Faults of the program itself, thrown where a connection is measured.</summary>
public sealed class ConnectionFaultTests
{
    [Theory]
    [InlineData("nzbdav.usenet.first_byte")]
    [InlineData("nzbdav.usenet.receive")]
    public async Task An_unexpected_exception_costs_a_connection_but_no_article(string instrument)
    {
        using var meters = new ThrowingMeters(instrument, times: 3);
        await using var usenet = new UsenetFixture(configure: static (options, _) => options with { MaxConnections = 1 }, meters: meters);
        var file = usenet.Post(10_000_000);
        await UsenetFixture.AssertReadsAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Length, ReadIntent.Download);
        Assert.Equal(3, meters.Thrown);
        Assert.True(usenet.Mock.Stats.ConnectionsOpened >= 4);
    }

    [Theory]
    [InlineData("nzbdav.usenet.articles")]
    [InlineData("nzbdav.usenet.queue_wait")]
    [InlineData("nzbdav.usenet.pipeline_depth")]
    [InlineData("nzbdav.usenet.article_bytes")]
    [InlineData("nzbdav.usenet.first_byte")]
    public async Task A_listener_that_throws_at_every_second_article_hangs_no_reader(string instrument)
    {
        using var meters = new ThrowingMeters(instrument, times: 7);
        await using var usenet = new UsenetFixture(configure: static (options, _) => options with { MaxConnections = 2 }, meters: meters);
        var file = usenet.Post(10_000_000);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length, ReadIntent.Playback).WaitAsync(TimeSpan.FromSeconds(60));
        Assert.Equal(7, meters.Thrown);
        Assert.Equal(0, usenet.Client.QueuedRequests);
    }

    [Fact]
    public async Task A_listener_of_phases_that_throws_wedges_no_slot()
    {
        await using var usenet = new UsenetFixture(configure: static (options, _) => options with { MaxConnections = 1 });
        var told = 0;
        usenet.Client.PhaseChanged += () =>
        {
            Interlocked.Increment(ref told);
            throw new InvalidCastException("planted");
        };
        var file = usenet.Post(1_000_000);
        for (var round = 0; round < 3; round++)
        {
            usenet.Client.Cache.Reclaim(long.MaxValue);
            var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
            await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length).WaitAsync(TimeSpan.FromSeconds(60));
            var opened = usenet.Mock.Stats.ConnectionsOpened;
            usenet.Mock.DropConnections();
            await Until.TrueAsync(() => usenet.Mock.Stats.ConnectionsOpened > opened);
        }

        Assert.True(told > 0);
    }

    [Fact]
    public async Task An_unexpected_exception_while_connecting_is_retried_after_a_pause()
    {
        using var meters = new ThrowingMeters("nzbdav.usenet.connect", times: 3);
        var time = new SkippedPauses(ConnectionPool.FaultPause);
        await using var usenet = new UsenetFixture(
            configure: static (options, _) => options with { MaxConnections = 1 }, time: time, meters: meters);
        Assert.Null((await usenet.Client.ProbeAsync(
            usenet.Post(100_000).Segments[0].MessageId, FetchPriority.Import, CancellationToken.None)).Fault);
        Assert.Equal((3, 3, 4L), (meters.Thrown, time.Count, usenet.Mock.Stats.ConnectionsOpened));
    }
}

using NzbDav.Content;
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

    [Fact]
    public async Task An_unexpected_exception_while_connecting_is_retried_after_a_pause()
    {
        using var meters = new ThrowingMeters("nzbdav.usenet.connect", times: 3);
        var time = new SkippedPauses(ConnectionLane.FaultPause);
        await using var usenet = new UsenetFixture(configure: static (options, _) => options with { MaxConnections = 1 }, time: time, meters: meters);
        Assert.Equal(SegmentOutcome.Found, (await usenet.Client.ProbeAsync(usenet.Post(100_000).Segments[0].MessageId, FetchPriority.Import, CancellationToken.None)).Outcome);
        Assert.Equal((3, 3, 4L), (meters.Thrown, time.Count, usenet.Mock.Stats.ConnectionsOpened));
    }
}

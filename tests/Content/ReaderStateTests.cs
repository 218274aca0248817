namespace NzbDav.Content.Tests;

/// <summary>The state of a reader that users see.</summary>
public sealed class ReaderStateTests
{
    [Fact]
    public async Task A_waiting_reader_shows_its_segment_the_provider_and_the_bytes_on_their_way()
    {
        using var fixture = new SegmentFixture();
        fixture.Fetcher.Source = "news-a";
        await using var reader = fixture.Open();
        Assert.Equal((0, null), (reader.Observe().InFlight, reader.Observe().Source));
        var waiting = reader.NextAsync(CancellationToken.None);
        Assert.Equal(((int?)0, 0, null), (reader.Observe().InFlight, reader.Observe().Segment, reader.Observe().Source));

        foreach (var segment in fixture.Fetcher.Begun.Take(2))
            segment.Send();
        Assert.Equal(((int?)2, 0, "news-a"), (reader.Observe().InFlight, reader.Observe().Segment, reader.Observe().Source));

        // What has come is not on its way; who has bytes at hand waits for nobody.
        fixture.Fetcher["s0"].Complete();
        using var lease = await waiting;
        Assert.Equal(((int?)1, -1, null), (reader.Observe().InFlight, reader.Observe().Segment, reader.Observe().Source));
        fixture.Fetcher["s1"].Complete();
    }

    [Fact]
    public async Task A_long_wait_is_remembered_with_its_explanation_until_the_next_one()
    {
        using var fixture = new SegmentFixture();
        fixture.Fetcher.Story = "news-a took 1.2 s";
        await using var reader = fixture.Open();
        foreach (var (segment, seconds, expected) in ((string, double, ReaderWait?)[])[("s0", 0.9, null),
            ("s1", 1.2, new ReaderWait(1, TimeSpan.FromSeconds(1.2), "news-a took 1.2 s")),
            ("s2", 0.1, new ReaderWait(1, TimeSpan.FromSeconds(1.2), "news-a took 1.2 s"))])
        {
            var waiting = reader.NextAsync(CancellationToken.None);
            fixture.Clock.Advance(TimeSpan.FromSeconds(seconds));
            fixture.Fetcher[segment].Complete();
            using var lease = await waiting;
            Assert.Equal(expected, reader.Observe().LastWait);
        }
    }
}

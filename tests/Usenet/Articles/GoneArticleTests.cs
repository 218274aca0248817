using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Articles that readers found missing are remembered, and a waiting reader names the provider it waits for.</summary>
public sealed class GoneArticleTests
{
    private readonly ManualTimeProvider _clock = new();

    // No real clock shows 0, and 0 means never in some places.
    public GoneArticleTests() => _clock.Advance(TimeSpan.FromSeconds(1));

    [Fact]
    public async Task An_article_that_a_reader_finds_nowhere_is_remembered_until_it_is_found()
    {
        await using var usenet = new UsenetFixture([new(), new()], time: _clock);
        var file = usenet.Post(300_000, new PostOptions { ArticleSize = 100_000 });
        Lose(usenet, 1);
        var id = file.Segments[1].MessageId;
        Assert.Equal(ContentFault.Missing, (await usenet.Client.ProbeAsync(id, FetchPriority.Next, CancellationToken.None)).Fault);
        var since = _clock.GetUtcNow();
        Assert.Equal((1, since), (usenet.Client.Gone.Count, usenet.Client.Gone.SinceOf(id)));
        Assert.Null(usenet.Client.Gone.SinceOf(file.Segments[0].MessageId));

        // Asked for again later, it is gone since then all the same.
        _clock.Advance(TimeSpan.FromSeconds(5));
        await usenet.Client.ProbeAsync(id, FetchPriority.Next, CancellationToken.None);
        Assert.Equal(since, usenet.Client.Gone.SinceOf(id));

        usenet.Mocks[1].Faults.Clear();
        Assert.Null((await usenet.Client.ProbeAsync(id, FetchPriority.Next, CancellationToken.None)).Fault);

        // Whoever asked has the article a moment before its provider's answer is at its end and noted.
        await Until.TrueAsync(() => usenet.Client.Gone.Count == 0);
        Assert.Null(usenet.Client.Gone.SinceOf(id));
    }

    [Fact]
    public async Task Articles_that_an_import_finds_gone_are_not_remembered()
    {
        await using var usenet = new UsenetFixture(time: _clock);
        var file = usenet.Post(300_000, new PostOptions { ArticleSize = 100_000 });
        Lose(usenet, 1);
        Assert.Equal(ContentFault.Missing,
            (await usenet.Client.ProbeAsync(file.Segments[1].MessageId, FetchPriority.Import, CancellationToken.None)).Fault);
        Assert.Equal(0, usenet.Client.Gone.Count);
    }

    [Fact]
    public async Task A_new_provider_clears_the_gone_articles()
    {
        await using var usenet = new UsenetFixture(time: _clock);
        var file = usenet.Post(300_000, new PostOptions { ArticleSize = 100_000 });
        Lose(usenet, 1);
        await usenet.Client.ProbeAsync(file.Segments[1].MessageId, FetchPriority.Next, CancellationToken.None);
        Assert.Equal(1, usenet.Client.Gone.Count);
        var account = usenet.Client.Providers[0].Options;
        usenet.Client.SetProviders([account]);
        Assert.Equal(1, usenet.Client.Gone.Count);
        usenet.Client.SetProviders([account, account with { Name = "another" }]);
        Assert.Equal(0, usenet.Client.Gone.Count);
    }

    [Fact]
    public void The_oldest_gone_articles_are_forgotten_beyond_the_limit()
    {
        using var fixture = new FlightSource();
        var gone = new GoneArticles(_clock);
        for (var i = 0; i <= GoneArticles.Most; i++)
            gone.Note(fixture.Fly($"s{i}"), ContentFault.Missing);
        Assert.Equal((GoneArticles.Most, false, true), (gone.Count, gone.SinceOf("s0") is not null, gone.SinceOf("s1") is not null));
    }

    [Fact]
    public void An_article_that_was_found_and_lost_again_counts_from_its_second_loss()
    {
        using var fixture = new FlightSource();
        var gone = new GoneArticles(_clock);
        gone.Note(fixture.Fly("again"), ContentFault.Missing);
        gone.Note(fixture.Fly("again"), fault: null);
        for (var i = 1; i < GoneArticles.Most; i++)
            gone.Note(fixture.Fly($"s{i}"), ContentFault.Missing);
        gone.Note(fixture.Fly("again"), ContentFault.Missing);
        Assert.Equal((GoneArticles.Most, true, true), (gone.Count, gone.SinceOf("again") is not null, gone.SinceOf("s1") is not null));
    }

    [Fact]
    public async Task A_waiting_reader_names_the_provider_being_asked()
    {
        await using var usenet = new UsenetFixture([new MockProviderOptions { Name = "news-a" }], time: _clock);
        var file = usenet.Post(300_000, new PostOptions { ArticleSize = 100_000 });
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        usenet.Mock.Faults.Add(Fault.Stall(after: 0), FaultTarget.Where(segment => segment.Index == 0));
        await using var reader = content.OpenReader(0, file.Length, ReadIntent.Playback);
        using var leave = new CancellationTokenSource();
        var waiting = reader.NextAsync(leave.Token).AsTask();
        await Until.TrueAsync(() => reader.Observe() is { Segment: 0, Source: "news-a", InFlight: >= 1 });
        await leave.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        usenet.Mock.DropConnections();
    }

    private static void Lose(UsenetFixture usenet, int index)
    {
        foreach (var mock in usenet.Mocks)
            mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index == index));
    }

    /// <summary>Flights that nobody fetches.</summary>
    private sealed class FlightSource : IDisposable
    {
        private readonly ManualSegmentFetcher _fetcher = new();
        private readonly SegmentCache _cache;
        private readonly List<SegmentFlight> _flights = [];

        public FlightSource() => _cache = new SegmentCache(new BufferPool(new BufferBudget(1L << 40)), _fetcher, TimeProvider.System);

        public SegmentFlight Fly(string id)
        {
            Assert.True(_cache.TryOpen(SegmentKey.Unknown(id), FetchPriority.Waiting, waiter: null, out var flight));
            _flights.Add(flight);
            return flight;
        }

        public void Dispose()
        {
            foreach (var flight in _flights)
                _cache.Close(flight);
        }
    }
}

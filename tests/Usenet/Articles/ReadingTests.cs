using NzbDav.Content;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.Usenet.Tests.Articles;

public sealed class ReadingTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(10)]
    public async Task A_whole_file_and_random_ranges_match_the_source(int latency)
    {
        await using var usenet = new UsenetFixture(
            [new MockProviderOptions { Latency = TimeSpan.FromMilliseconds(latency), Jitter = TimeSpan.FromMilliseconds(latency / 5.0) }]);
        var file = usenet.Post(60_000_123);
        var content = await usenet.OpenAsync(file);
        Assert.Equal(file.Length, content.Length);
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length);

        var random = new Random(5);
        for (var i = 0; i < 100; i++)
        {
            var start = random.NextInt64(file.Length);
            await UsenetFixture.AssertReadsAsync(content, file, start, Math.Min(file.Length, start + random.Next(1, 3_000_000)));
        }
    }

    [Fact]
    public async Task Every_article_is_fetched_once_in_a_sequential_read()
    {
        // Time stands still, or a slow machine would make articles late, and late ones are hedged.
        await using var usenet = new UsenetFixture(time: new Fakes.ManualTimeProvider());
        var file = usenet.Post(40_000_000);
        await UsenetFixture.AssertReadsAsync(await usenet.OpenAsync(file), file, 0, file.Length);
        Assert.Equal(file.Segments.Count, usenet.Mock.Stats.ArticlesAsked);
        Assert.Equal(0, usenet.Mock.Stats.ArticlesAskedAgain);
    }

    [Theory]
    [InlineData(0, 40_000_000, ReadIntent.Playback, 5)]
    [InlineData(1, 40_000_000, ReadIntent.Playback, 3)]
    [InlineData(0, 40_000_000, ReadIntent.Probe, 1)]
    [InlineData(0, 30_000_000, ReadIntent.Playback, 3)]
    public async Task Playing_a_long_file_from_its_start_prefetches_its_tail(long start, int length, ReadIntent intent, int articles)
    {
        await using var usenet = new UsenetFixture();
        var file = usenet.Post(length);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        await Fakes.Until.TrueAsync(() => usenet.Client.Providers[0].Status.OpenConnections == 8);
        await using (content.OpenReader(start, file.Length, intent))
        {
            // What is asked for is in the cache from then on.
            Assert.Equal(articles, usenet.Client.Cache.Count);
        }

        await UsenetFixture.AssertReadsAsync(content, file, file.Length - 1_000_000, file.Length);
    }

    [Fact]
    public async Task A_file_of_one_article_of_the_largest_size_is_read()
    {
        await using var usenet = new UsenetFixture(budget: 64 << 20);
        var file = usenet.Post(SegmentKey.Most, new PostOptions { ArticleSize = SegmentKey.Most });
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length);
        Assert.Equal(0, usenet.Pool.Budget.Readers);
    }

    /// <summary>A reader looks for the tail of a long file, which a single article has too. It leaves its share of the budget.</summary>
    [Fact]
    public async Task A_long_file_of_one_article_is_refused()
    {
        await using var usenet = new UsenetFixture(budget: 256 << 20);
        var file = usenet.Post(40 << 20, new PostOptions { ArticleSize = 40 << 20 });
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file));
        var refused = await Assert.ThrowsAsync<ContentException>(() => UsenetFixture.AssertReadsAsync(content, file, 0, file.Length));
        Assert.Contains("claims to be larger than an article can be", refused.Message, StringComparison.Ordinal);
        Assert.Equal(0, usenet.Pool.Budget.Readers);
    }

    [Fact]
    public async Task Sixteen_readers_at_once_share_the_articles()
    {
        await using var usenet = new UsenetFixture();
        var file = usenet.Post(30_000_000);
        var content = await usenet.OpenAsync(file);
        await Task.WhenAll(Enumerable.Range(0, 16).Select(async i =>
        {
            await Task.Yield();
            await UsenetFixture.AssertReadsAsync(content, file, i * 1_000_000L, file.Length);
        }));
    }

    [Fact]
    public async Task A_thousand_readers_that_leave_early_leak_nothing()
    {
        await using var usenet = new UsenetFixture([new MockProviderOptions { Latency = TimeSpan.FromMilliseconds(1) }]);
        var file = usenet.Post(100_000_000, new PostOptions { ArticleSize = 100_000 });
        var content = await usenet.OpenAsync(file);
        var opened = usenet.Mock.Stats.ConnectionsOpened;
        var random = new Random(3);
        for (var batch = 0; batch < 50; batch++)
        {
            await Task.WhenAll(Enumerable.Range(0, 20).Select(async _ =>
            {
                var start = random.NextInt64(file.Length);
                var reads = random.Next(4);
                await Task.Yield();
                await using var reader = content.OpenReader(start, file.Length, ReadIntent.Playback);
                for (var i = 0; i < reads; i++)
                    (await reader.NextAsync(CancellationToken.None)).Dispose();
            }));
        }

        Assert.InRange(usenet.Mock.Stats.ConnectionsOpened, opened, 8);
    }

    [Fact]
    public async Task A_small_memory_budget_slows_reads_but_never_fails_them()
    {
        await using var usenet = new UsenetFixture(budget: 8 << 20);
        var file = usenet.Post(50_000_000);
        var content = await usenet.OpenAsync(file);
        await Task.WhenAll(Enumerable.Range(0, 12).Select(async i =>
        {
            await Task.Yield();
            await UsenetFixture.AssertReadsAsync(content, file, i * 3_000_000L, Math.Min(file.Length, (i * 3_000_000L) + 12_000_000));
        }));
        Assert.True(usenet.Pool.Budget.Refusals > 0);
    }

    [Fact]
    public async Task A_cancelled_read_loses_nothing()
    {
        await using var usenet = new UsenetFixture();
        var file = usenet.Post(5_000_000);
        var content = await usenet.OpenAsync(file);
        usenet.Client.Cache.Reclaim(long.MaxValue);
        var rule = usenet.Mock.Faults.Add(Fault.Stall(after: 1000), FaultTarget.Indexes(file, 2), timesEach: 1);
        await using var reader = content.OpenReader(2 * 716_800, file.Length, ReadIntent.Download);
        using var cancel = new CancellationTokenSource();
        var next = reader.NextAsync(cancel.Token).AsTask();
        while (rule.Struck == 0)
            await Task.Yield();
        await cancel.CancelAsync();
        try
        {
            (await next).Dispose();
        }
        catch (OperationCanceledException)
        {
        }

        usenet.Mock.DropConnections();
        await UsenetFixture.AssertReadsAsync(reader, file, file.Length - reader.Position);
    }
}

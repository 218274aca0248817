using NzbDav.Content;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.Usenet.Tests.Articles;

public sealed class FaultTests
{
    private static readonly MockProviderOptions[] TwoProviders = [new() { Name = "one" }, new() { Name = "two" }];

    [Fact]
    public async Task An_article_missing_on_one_provider_comes_from_the_other()
    {
        await using var usenet = new UsenetFixture(
            [new() { Name = "one", Holds = segment => segment.Index % 3 != 1 }, new() { Name = "two" }],
            (options, index) => options with { Priority = index },
            time: new Fakes.ManualTimeProvider());
        var file = usenet.Post(20_000_000);
        await UsenetFixture.AssertReadsAsync(await usenet.OpenAsync(file), file, 0, file.Length);
        Assert.Equal(file.Segments.Count(segment => segment.Index % 3 == 1), usenet.Mocks[1].Stats.ArticlesAsked);
    }

    [Fact]
    public async Task An_article_missing_everywhere_ends_the_read_at_its_offset_with_the_reason()
    {
        await using var usenet = new UsenetFixture(TwoProviders);
        var file = usenet.Post(10_000_000);
        foreach (var mock in usenet.Mocks)
            mock.Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 5));
        var content = await usenet.OpenAsync(file);
        await using var reader = content.OpenReader(0, file.Length, ReadIntent.Playback);
        await UsenetFixture.AssertReadsAsync(reader, file, 5 * 716_800);
        var e = await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));
        Assert.Equal(ContentFault.Missing, e.Fault);
        Assert.Contains("one, two", e.Message, StringComparison.Ordinal);
        Assert.Equal(5 * 716_800, reader.Position);
    }

    [Fact]
    public async Task A_damaged_article_is_fetched_from_the_other_provider()
    {
        await using var usenet = new UsenetFixture(TwoProviders);
        var file = usenet.Post(20_000_000);
        usenet.Mocks[0].Faults.Add(Fault.Corrupt, FaultTarget.All);
        await UsenetFixture.AssertReadsAsync(await usenet.OpenAsync(file), file, 0, file.Length, ReadIntent.Download);
    }

    [Fact]
    public async Task A_damaged_article_is_requested_again_from_the_only_provider()
    {
        await using var usenet = new UsenetFixture();
        var file = usenet.Post(20_000_000);
        var content = await usenet.OpenAsync(file);
        usenet.Client.Cache.Reclaim(long.MaxValue);
        usenet.Mock.Faults.Add(Fault.Truncated(), FaultTarget.All, timesEach: 1);
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length, ReadIntent.Download);
    }

    [Fact]
    public async Task An_article_damaged_everywhere_ends_the_read()
    {
        await using var usenet = new UsenetFixture(TwoProviders);
        var file = usenet.Post(5_000_000);
        var content = await usenet.OpenAsync(file);
        foreach (var mock in usenet.Mocks)
            mock.Faults.Add(Fault.Corrupt, FaultTarget.Indexes(file, 2));
        usenet.Client.Cache.Reclaim(long.MaxValue);
        await using var reader = content.OpenReader(0, file.Length, ReadIntent.Download);
        await UsenetFixture.AssertReadsAsync(reader, file, 2 * 716_800);
        var e = await Assert.ThrowsAsync<ContentException>(async () =>
        {
            while (true)
                (await reader.NextAsync(CancellationToken.None)).Dispose();
        });
        Assert.Equal(ContentFault.Corrupt, e.Fault);
        Assert.True(reader.Position < 3 * 716_800);
    }

    [Fact]
    public async Task Dropped_connections_are_replaced_and_their_articles_fetched_again()
    {
        await using var usenet = new UsenetFixture();
        var file = usenet.Post(30_000_000);
        var content = await usenet.OpenAsync(file);
        usenet.Client.Cache.Reclaim(long.MaxValue);
        usenet.Mock.Faults.Add(Fault.Drop(after: 300_000, reset: true), FaultTarget.Where(segment => segment.Index % 7 == 3), timesEach: 1);
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length);
    }

    [Fact]
    public async Task A_stalled_article_is_fetched_over_another_connection()
    {
        await using var usenet = new UsenetFixture();
        var file = usenet.Post(10_000_000);
        var content = await usenet.OpenAsync(file);
        usenet.Client.Cache.Reclaim(long.MaxValue);
        usenet.Mock.Faults.Add(Fault.Stall(after: 100_000), FaultTarget.Indexes(file, 4), timesEach: 1);
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length);
    }

    [Fact]
    public async Task The_wrong_article_for_an_id_is_never_served()
    {
        await using var usenet = new UsenetFixture(TwoProviders, (options, index) => options with { Priority = index });
        var file = usenet.Post(10_000_000);
        var content = await usenet.OpenAsync(file);
        usenet.Client.Cache.Reclaim(long.MaxValue);
        usenet.Mocks[0].Faults.Add(Fault.WrongArticle(file.Segments[2]), FaultTarget.Indexes(file, 6));
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length);

        usenet.Client.Cache.Reclaim(long.MaxValue);
        usenet.Mocks[1].Faults.Add(Fault.WrongArticle(file.Segments[2]), FaultTarget.Indexes(file, 6));
        await using var reader = content.OpenReader(6 * 716_800, file.Length, ReadIntent.Playback);
        var e = await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));
        Assert.Equal(ContentFault.Corrupt, e.Fault);
    }

    [Fact]
    public async Task Irregular_posts_are_laid_out_by_their_headers()
    {
        await using var usenet = new UsenetFixture();
        var file = usenet.Post(9_876_543, new PostOptions { PartSize = index => index is 3 or 9 ? 50_001 : 100_000 });
        var content = await usenet.OpenAsync(file);
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length);
    }

    [Fact]
    public async Task A_wrong_map_is_corrected_while_reading_and_reported()
    {
        await using var usenet = new UsenetFixture();

        // Two odd parts that make up for each other: first and last article cannot tell.
        var file = usenet.Post(
            3_000_000, new PostOptions { PartSize = index => index switch { 10 => 90_000, 11 => 110_000, _ => 100_000 } });
        ExtentMap? corrected = null;
        var content = await usenet.OpenAsync(file, map => corrected = map);
        await UsenetFixture.AssertReadsAsync(content, file, 0, file.Length);
        Assert.NotNull(corrected);
        Assert.Equal(90_000, corrected.Segments.Size(10));
    }

    [Fact]
    public async Task A_refused_login_makes_reads_fail_at_once_with_the_reason()
    {
        await using var usenet = new UsenetFixture(
            [new() { Username = "me", Password = "right" }], (options, _) => options with { Username = "me", Password = "wrong" });
        var file = usenet.Post(1_000_000);
        await using var reader = usenet.Client.Open(UsenetFixture.TrueMap(file)).OpenReader(0, file.Length, ReadIntent.Playback);
        var e = await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));
        Assert.Equal(ContentFault.Unavailable, e.Fault);
        Assert.Contains("password", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_providers_real_connection_limit_is_learned_and_kept()
    {
        await using var usenet = new UsenetFixture([new() { MaxConnections = 3 }]);
        var file = usenet.Post(40_000_000);
        await UsenetFixture.AssertReadsAsync(await usenet.OpenAsync(file), file, 0, file.Length);
        Assert.Equal(3, usenet.Client.Providers[0].Status.MaxConnections);
        Assert.InRange(usenet.Mock.Stats.ConnectionsRefused, 1, 8);
    }
}

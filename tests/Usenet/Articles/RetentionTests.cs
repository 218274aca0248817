using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Articles older than what a provider is said to keep are asked of it last, and articles of which nobody knows the age of all
/// alike; and providers that are for backup only.</summary>
public sealed class RetentionTests
{
    private const int Retention = 1_000;

    /// <summary>Stands still, so that nothing is late.</summary>
    private readonly ManualTimeProvider _time = new(new DateTimeOffset(2030, 1, 4, 12, 0, 0, TimeSpan.Zero));

    private int Today => (_time.GetUtcNow() - DateTimeOffset.UnixEpoch).Days;

    [Theory]
    [InlineData(Retention - 2, true)]
    [InlineData(Retention + 2, false)]
    [InlineData(null, true)]
    [InlineData(-10, true)]
    public async Task An_article_older_than_a_providers_retention_is_requested_from_the_others_first(int? age, bool isFirstAsked)
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        await ReadAsync(usenet, file, age);
        Assert.Equal(isFirstAsked ? (file.Segments.Count, 0) : (0, file.Segments.Count),
            (usenet.Mocks[0].Stats.ArticlesAsked, usenet.Mocks[1].Stats.ArticlesAsked));
    }

    [Fact]
    public async Task A_wrong_retention_costs_a_detour_but_no_bytes()
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        usenet.Mocks[1].Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 2, 5));
        await ReadAsync(usenet, file, Retention + 2);
        Assert.Equal((2, file.Segments.Count), (usenet.Mocks[0].Stats.ArticlesAsked, usenet.Mocks[1].Stats.ArticlesAsked));
    }

    [Fact]
    public async Task An_old_article_is_missing_only_after_every_provider_was_asked()
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        foreach (var mock in usenet.Mocks)
            mock.Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 0));
        var key = SegmentKey.Unknown(file.Segments[0].MessageId) with { PostedDay = Today - Retention - 2 };
        var probe = await usenet.Client.ProbeAsync(key, FetchPriority.Import, headBytes: 0, UsenetFixture.Limit);
        Assert.Equal(ContentFault.Missing, probe.Fault);
        Assert.Contains("(0, 1)", probe.Reason, StringComparison.Ordinal);
        Assert.Equal((1, 1), (usenet.Mocks[0].Stats.ArticlesAsked, usenet.Mocks[1].Stats.ArticlesAsked));
        Assert.Equal(ContentFault.Missing, (await usenet.Client.StatAsync(key, FetchPriority.Import, UsenetFixture.Limit)).Fault);
    }

    [Fact]
    public async Task STAT_of_an_old_article_goes_to_a_provider_that_keeps_it()
    {
        await using var usenet = Start();
        var file = usenet.Post(5_000_000);
        var key = SegmentKey.Unknown(file.Segments[0].MessageId) with { PostedDay = Today - Retention - 2 };
        Assert.Null((await usenet.Client.StatAsync(key, FetchPriority.Import, UsenetFixture.Limit)).Fault);
        Assert.Equal(
            (0, 1), (usenet.Mocks[0].Stats.Commands.GetValueOrDefault("STAT"), usenet.Mocks[1].Stats.Commands.GetValueOrDefault("STAT")));
    }

    [Fact]
    public async Task The_only_provider_is_asked_whatever_its_retention()
    {
        await using var usenet = new UsenetFixture(
            [new MockProviderOptions { Name = "0" }], static (account, _) => account with { RetentionDays = Retention }, time: _time);
        var file = usenet.Post(5_000_000);
        await ReadAsync(usenet, file, Retention + 2);
    }

    [Fact]
    public async Task Probing_and_layout_use_the_date_of_the_post()
    {
        await using var usenet = Start();
        var layout = await usenet.Client.LayOutAsync(
            [.. usenet.Post(5_000_000).Segments.Select(static segment => segment.MessageId)], FetchPriority.Import, Today - Retention - 2,
            counted: null, new Dictionary<int, Usenet.Articles.ArticleProbe>(), UsenetFixture.Limit);
        Assert.Equal((Today - Retention - 2, 0), (layout.Segments!.PostedDay, usenet.Mocks[0].Stats.ArticlesAsked));
    }

    [Fact]
    public async Task A_backup_provider_is_asked_only_for_missing_articles_and_before_block_accounts()
    {
        await using var usenet = new UsenetFixture(
            [.. Enumerable.Range(0, 3).Select(static index => new MockProviderOptions { Name = $"{index}" })],
            static (account, index) => index switch
            {
                0 => account with { BackupOnly = true, Priority = 0 },
                1 => account with { Priority = 9 },
                _ => account with { QuotaGigabytes = 1, Priority = 0 },
            },
            time: _time);
        var file = usenet.Post(5_000_000);
        usenet.Mocks[1].Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 2, 5));
        usenet.Mocks[0].Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 5));
        await ReadAsync(usenet, file, age: null);
        Assert.Equal((2, file.Segments.Count, 1),
            (usenet.Mocks[0].Stats.ArticlesAsked, usenet.Mocks[1].Stats.ArticlesAsked, usenet.Mocks[2].Stats.ArticlesAsked));
    }

    /// <summary>The first keeps a thousand days and is asked first; nobody knows what the second keeps.</summary>
    private UsenetFixture Start() => new(
        [new MockProviderOptions { Name = "0" }, new MockProviderOptions { Name = "1" }],
        static (account, index) => account with { Priority = index, RetentionDays = index == 0 ? Retention : 0 }, time: _time);

    private Task ReadAsync(UsenetFixture usenet, PostedFile file, int? age)
    {
        var table = new SegmentTable.Builder { PostedDay = age is null ? 0 : Today - age.Value };
        foreach (var segment in file.Segments)
            table.Add(segment.MessageId, segment.Offset, segment.Size);
        return UsenetFixture.AssertReadsAsync(usenet.Client.Open(ExtentMap.OfWholeSegments(table.Build())), file, 0, file.Length);
    }
}

using NzbDav.Content;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Articles of which the .nzb lists several copies, or none.</summary>
public sealed class CopiesTests
{
    [Fact]
    public async Task Reads_the_second_copy_when_the_first_is_gone()
    {
        await using var usenet = new UsenetFixture(
            [new() { Name = "one" }, new() { Name = "two" }], (options, index) => options with { Priority = index });
        var (first, second) = PostTwice(usenet);
        foreach (var mock in usenet.Mocks)
            mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.File == (segment.Index % 2 == 0 ? first : second)));
        await UsenetFixture.AssertReadsAsync(usenet.Client.Open(Joined(first, second)), first, 0, first.Length);
    }

    [Fact]
    public async Task Asks_for_the_second_copy_when_the_first_is_damaged()
    {
        await using var usenet = new UsenetFixture();
        var (first, second) = PostTwice(usenet);
        usenet.Mock.Faults.Add(Fault.Corrupt, FaultTarget.Where(segment => segment.File == first && segment.Index == 2));
        var key = new SegmentKey(Joined(first, second).Segments.Id(2), first.Segments[2].Offset, first.Segments[2].Size);
        var probe = await usenet.Client.ProbeAsync(key, FetchPriority.Import, key.Size, UsenetFixture.Limit);
        var expected = new byte[key.Size];
        first.Source.Fill(key.Begin, expected);
        Assert.Null(probe.Fault);
        Assert.True(expected.AsSpan().SequenceEqual(probe.Head.Span));
    }

    [Fact]
    public async Task Asks_for_no_second_copy_while_the_first_is_there()
    {
        await using var usenet = new UsenetFixture();
        var (first, second) = PostTwice(usenet);
        await UsenetFixture.AssertReadsAsync(usenet.Client.Open(Joined(first, second)), first, 0, first.Length);
        Assert.Equal(first.Segments.Count, usenet.Mock.Stats.ArticlesAsked);
    }

    [Fact]
    public async Task Is_missing_when_every_copy_is_gone()
    {
        await using var usenet = new UsenetFixture();
        var (first, second) = PostTwice(usenet);
        usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index == 2));
        var stat = await usenet.Client.StatAsync(Joined(first, second).Segments.Id(2), FetchPriority.Import, UsenetFixture.Limit);
        Assert.Equal(ContentFault.Missing, stat.Fault);
        Assert.Contains(second.Segments[2].MessageId, stat.Reason, StringComparison.Ordinal);
        Assert.Equal(ContentFault.Missing,
            (await usenet.Client.ProbeAsync(Joined(first, second).Segments.Id(2), FetchPriority.Import, UsenetFixture.Limit)).Fault);
    }

    [Fact]
    public async Task Exists_when_one_of_its_copies_does()
    {
        await using var usenet = new UsenetFixture();
        var (first, second) = PostTwice(usenet);
        usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.File == first));
        Assert.Null(
            (await usenet.Client.StatAsync(Joined(first, second).Segments.Id(2), FetchPriority.Import, UsenetFixture.Limit)).Fault);
    }

    [Fact]
    public async Task A_single_provider_can_be_asked_alone()
    {
        await using var usenet = new UsenetFixture([new() { Name = "one" }, new() { Name = "two" }, new() { Name = "three" }],
            (options, index) => options with { Priority = index / 2 });
        var file = usenet.Post(900_000);
        usenet.Mocks[1].Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index == 0));
        var id = file.Segments[0].MessageId;

        foreach (var (provider, fault) in usenet.Client.Providers.Zip(
            new ContentFault?[] { null, ContentFault.Missing, null }))
        {
            foreach (var mock in usenet.Mocks)
                mock.ResetStats();
            var stat = await usenet.Client.StatAsync(id, provider, FetchPriority.Health, UsenetFixture.Limit);
            Assert.Equal(fault, stat.Fault);
            Assert.Equal([provider.Options.Name],
                usenet.Mocks.Where(mock => mock.Stats.Commands.GetValueOrDefault("STAT") == 1).Select(mock => mock.Name));
            Assert.Equal(fault == ContentFault.Missing,
                stat.Reason?.Contains("missing on every provider (two)", StringComparison.Ordinal) ?? false);
        }
    }

    [Fact]
    public async Task A_removed_provider_is_not_asked()
    {
        await using var usenet = new UsenetFixture([new() { Name = "one" }, new() { Name = "two" }]);
        var file = usenet.Post(300_000);
        var left = usenet.Client.Providers[1];
        usenet.Client.SetProviders([usenet.Client.Providers[0].Options]);

        var stat = await usenet.Client.StatAsync(file.Segments[0].MessageId, left, FetchPriority.Health, UsenetFixture.Limit);
        Assert.Equal((ContentFault.Unavailable, "The provider is not used any more."), (stat.Fault, stat.Reason));
    }

    [Fact]
    public async Task No_provider_is_asked_for_an_unlisted_article()
    {
        await using var usenet = new UsenetFixture();
        var ids = ArticleIds.Unlisted(17, "a@x");
        var stat = await usenet.Client.StatAsync(ids, FetchPriority.Import, UsenetFixture.Limit);
        var probe = await usenet.Client.ProbeAsync(ids, FetchPriority.Import, UsenetFixture.Limit);
        Assert.Equal((ContentFault.Missing, ContentFault.Missing), (stat.Fault, probe.Fault));
        Assert.Contains("does not list article 17", stat.Reason, StringComparison.Ordinal);
        Assert.Equal((0, 0), (usenet.Mock.Stats.Commands.GetValueOrDefault("BODY"), usenet.Mock.Stats.Commands.GetValueOrDefault("STAT")));
    }

    private static (PostedFile First, PostedFile Second) PostTwice(UsenetFixture usenet)
    {
        var options = new PostOptions { ArticleSize = 300_000 };
        return (usenet.Post(3_000_000, options), usenet.Post(3_000_000, options));
    }

    private static ExtentMap Joined(PostedFile first, PostedFile second)
    {
        var table = new SegmentTable.Builder();
        foreach (var (one, other) in first.Segments.Zip(second.Segments))
            table.Add(ArticleIds.Join(one.MessageId, other.MessageId), one.Offset, one.Size);
        return ExtentMap.OfWholeSegments(table.Build());
    }
}

using System.Numerics;
using NzbDav.Content;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Files;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Articles;

public sealed class LayoutProbeTests : IAsyncDisposable
{
    private const int Part = 10_000;

    private readonly UsenetFixture _usenet = new();

    public ValueTask DisposeAsync() => _usenet.DisposeAsync();

    [Theory]
    [InlineData(1, 1)]
    [InlineData(Part, 1)]
    [InlineData(Part + 1, 2)]
    [InlineData(500 * Part, 2)]
    [InlineData((500 * Part) - 1, 2)]
    public async Task A_regular_post_needs_only_its_first_and_last_article(int length, int probes)
    {
        var file = Post(length);
        AssertIsTrue(await LayOutAsync(file), file);
        Assert.Equal(probes, _usenet.Mock.Stats.ArticlesAsked);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(10)]
    public async Task An_irregular_post_needs_a_few_articles_per_odd_part(int odd)
    {
        const int Count = 1000;
        var random = new Random(odd);
        var places = Enumerable.Range(0, odd).Select(_ => random.Next(1, Count - 1)).ToHashSet();
        var file = Post(Part * Count, new PostOptions { PartSize = index => places.Contains(index) ? random.Next(1, Part) : Part });
        AssertIsTrue(await LayOutAsync(file), file);
        Assert.InRange(_usenet.Mock.Stats.ArticlesAsked, 3, 4 + (places.Count * 2 * (BitOperations.Log2(Count) + 1)));
    }

    [Fact]
    public async Task A_post_without_any_rule_is_laid_out_from_all_its_articles()
    {
        var random = new Random(1);
        var sizes = Enumerable.Range(0, 60).Select(_ => random.Next(1, Part)).ToArray();
        var file = Post(sizes.Sum(), new PostOptions { PartSize = index => sizes[index] });
        AssertIsTrue(await LayOutAsync(file), file);
        Assert.InRange(_usenet.Mock.Stats.ArticlesAsked, 2, 60);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(20)]
    [InlineData(39)]
    public async Task A_regular_post_that_lacks_an_article_is_still_laid_out(int gone)
    {
        var file = Post((40 * Part) - 77);
        _usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.Indexes(file, gone));
        AssertIsTrue(await LayOutAsync(file), file);
        Assert.InRange(_usenet.Mock.Stats.ArticlesAsked, 2, 4);
    }

    [Fact]
    public async Task A_post_that_is_gone_is_missing()
    {
        var file = Post(40 * Part);
        _usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.All);
        var layout = await LayOutAsync(file);
        Assert.Equal((null, ContentFault.Missing, null), (layout.Segments, layout.Fault, layout.Header));
        Assert.Contains("is missing on every provider", layout.Reason, StringComparison.Ordinal);
        Assert.InRange(_usenet.Mock.Stats.ArticlesAsked, 2, 5);
    }

    [Fact]
    public async Task A_post_of_one_article_that_is_gone_is_missing()
    {
        var file = Post(Part);
        _usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.All);
        Assert.Equal(ContentFault.Missing, (await LayOutAsync(file)).Fault);
    }

    [Fact]
    public async Task An_irregular_post_that_lacks_the_deciding_article_is_missing()
    {
        var file = Post(40 * Part, new PostOptions { PartSize = index => index == 20 ? 10 : Part });
        _usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.Indexes(file, Enumerable.Range(1, 38)));
        var layout = await LayOutAsync(file);
        Assert.Equal((null, ContentFault.Missing), (layout.Segments, layout.Fault));
        Assert.StartsWith(
            "The post is irregular, and an article that would tell its layout cannot be had: ", layout.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0, "The NZB lacks the beginning of 'video.mkv': its first article begins at byte 10000.")]
    [InlineData(39, "The NZB does not hold all of 'video.mkv': its 39 articles end at byte 390000 of 400000, the post has 40.")]
    [InlineData(20, "The NZB does not hold all of 'video.mkv': article 20 ends at byte 200000 and article 21 begins at 210000.")]
    public async Task An_NZB_that_lacks_an_article_is_incomplete(int left, string reason)
    {
        var file = Post(40 * Part);
        var layout = await LayOutAsync([.. Ids(file).Where((_, index) => index != left)]);
        Assert.Equal((null, ContentFault.Missing, reason), (layout.Segments, layout.Fault, layout.Reason));
        Assert.NotNull(layout.Header);
    }

    [Fact]
    public async Task An_NZB_that_lists_the_articles_backwards_needs_no_more_of_them()
    {
        var file = Post((500 * Part) - 1);
        var layout = await LayOutAsync([.. Ids(file).Reverse()]);
        AssertIsTrue(layout, file);
        Assert.Equal(Ids(file), Enumerable.Range(0, 500).Select(layout.Segments!.Id));
        Assert.Equal(2, _usenet.Mock.Stats.ArticlesAsked);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_NZB_in_any_order_is_put_into_that_of_the_parts(bool irregular)
    {
        var random = new Random(3);
        var file = Post(40 * Part, new PostOptions { PartSize = _ => irregular ? random.Next(1_000, Part) : Part });
        var ids = Ids(file);
        random.Shuffle(ids);
        var layout = await LayOutAsync(ids);
        AssertIsTrue(layout, file);
        Assert.Equal(Ids(file), Enumerable.Range(0, ids.Length).Select(layout.Segments!.Id));
    }

    [Fact]
    public async Task An_NZB_in_any_order_may_lack_articles_on_the_server()
    {
        var file = Post((40 * Part) - 5);
        _usenet.Mock.Faults.Add(Fault.Missing, FaultTarget.Where(segment => segment.Index is 7 or 8 or 30));
        var ids = Ids(file);
        new Random(4).Shuffle(ids);
        var layout = await LayOutAsync(ids);
        AssertIsTrue(layout, file);
        Assert.All(Enumerable.Range(0, 40).Except([7, 8, 30]), index => Assert.Equal(Ids(file)[index], layout.Segments!.Id(index)));
    }

    [Fact]
    public async Task An_NZB_that_lists_a_part_twice_says_so()
    {
        var file = Post(40 * Part);
        var again = _usenet.Store.AddFile(
            "again", new SeededSource(7, "video.mkv", 40 * Part), new PostOptions { ArticleSize = Part, YencName = _ => "video.mkv" });
        var ids = Ids(file).ToList();
        ids.Insert(11, again.Segments[10].MessageId);
        var layout = await LayOutAsync(ids);
        Assert.Equal((null, ContentFault.Missing), (layout.Segments, layout.Fault));
        Assert.Equal(
            "The NZB does not fit together for 'video.mkv': article 11 ends at byte 110000 and article 12 begins at 100000 already.",
            layout.Reason);
    }

    [Theory]
    [InlineData(40)]
    [InlineData(2)]
    public async Task A_wrong_size_in_every_header_does_not_matter_if_the_last_part_is_marked_as_last(int count)
    {
        var file = Post((count * Part) - 77, new PostOptions { ArticleSize = Part, Shape = _ => ArticleShape.WrongFileSize });
        AssertIsTrue(await LayOutAsync(file), file);
    }

    [Fact]
    public async Task A_wrong_size_in_every_header_and_no_last_part_is_refused()
    {
        var file = Post(40 * Part, new PostOptions { ArticleSize = Part, Shape = _ => ArticleShape.WrongFileSize });
        var layout = await LayOutAsync([.. Ids(file).SkipLast(1)]);
        Assert.Equal(
            "The NZB does not hold all of 'video.mkv': its 39 articles end at byte 390000 of 404097, the post has 40.", layout.Reason);
        Assert.Equal((null, ContentFault.Missing), (layout.Segments, layout.Fault));
    }

    [Fact]
    public async Task A_post_that_is_not_yEnc_is_corrupt()
    {
        var file = Post(40 * Part, new PostOptions { ArticleSize = Part, Shape = _ => ArticleShape.NotYenc });
        var layout = await LayOutAsync(file);
        Assert.Equal((null, ContentFault.Corrupt), (layout.Segments, layout.Fault));
        Assert.Contains("it is not yEnc", layout.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_post_is_not_judged_while_the_provider_is_down()
    {
        await using var usenet = new UsenetFixture(
            [new() { Username = "me", Password = "right" }], (options, _) => options with { Username = "me", Password = "wrong" });
        var file = usenet.Post(40 * Part, new PostOptions { ArticleSize = Part });
        var layout = await usenet.Client.LayOutAsync(
            Ids(file), FetchPriority.Import, new Dictionary<int, ArticleHeader>(), CancellationToken.None);
        Assert.Equal((null, ContentFault.Unavailable), (layout.Segments, layout.Fault));
    }

    [Fact]
    public async Task A_file_without_articles_is_missing() => Assert.Equal(ContentFault.Missing, (await LayOutAsync([])).Fault);

    [Fact]
    public async Task A_cancelled_layout_leaves_nothing_behind()
    {
        var file = Post(40 * Part);
        var stall = _usenet.Mock.Faults.Add(Fault.Stall(), FaultTarget.All);
        using var cancel = new CancellationTokenSource();
        var layout = _usenet.Client.LayOutAsync(Ids(file), FetchPriority.Import, new Dictionary<int, ArticleHeader>(), cancel.Token);
        await Fakes.Until.TrueAsync(() => stall.Struck > 0);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => layout);
    }

    private static string[] Ids(PostedFile file) => [.. file.Segments.Select(segment => segment.MessageId)];

    private static void AssertIsTrue(PostLayout layout, PostedFile file)
    {
        Assert.True(layout.Segments is not null, layout.Reason);
        Assert.Equal(file.Segments.Select(segment => (segment.Offset, segment.Size)),
            Enumerable.Range(0, layout.Segments.Count).Select(i => (layout.Segments.Begin(i), layout.Segments.Size(i))));
    }

    private PostedFile Post(int length, PostOptions? options = null) =>
        _usenet.Post(length, options ?? new PostOptions { ArticleSize = Part });

    private Task<PostLayout> LayOutAsync(PostedFile file) => LayOutAsync(Ids(file));

    private Task<PostLayout> LayOutAsync(IReadOnlyList<string> ids) =>
        _usenet.Client.LayOutAsync(ids, FetchPriority.Import, new Dictionary<int, ArticleHeader>(), CancellationToken.None);
}

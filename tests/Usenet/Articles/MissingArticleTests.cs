using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>
/// Requests saved by a 430: other providers of the same backbone are not asked, and the one that answered it goes last the next time.
/// </summary>
public sealed class MissingArticleTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task An_article_missing_at_one_provider_is_not_requested_from_others_of_its_backbone()
    {
        await using var usenet = Start(["Omicron", "omicron", ""], (provider, segment) => provider == 2 || segment.Index % 3 != 1);
        var file = usenet.Post(20_000_000);
        await UsenetFixture.AssertReadsAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Length);
        Assert.Equal((0, file.Segments.Count(segment => segment.Index % 3 == 1)),
            (usenet.Mocks[1].Stats.ArticlesAsked, usenet.Mocks[2].Stats.ArticlesAsked));
    }

    [Theory]
    [InlineData("a", "b", 1)]
    [InlineData("", "", 1)]
    [InlineData("a", "a", 0)]
    public async Task An_article_missing_everywhere_names_the_providers_asked(string first, string second, int asked)
    {
        await using var usenet = Start([first, second], (_, segment) => segment.Index != 2);
        var file = usenet.Post(5_000_000);
        await using var reader = usenet.Client.Open(UsenetFixture.TrueMap(file)).OpenReader(2 * 716_800, file.Length, ReadIntent.Playback);
        var e = await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));
        Assert.Equal(ContentFault.Missing, e.Fault);
        Assert.Contains(asked == 1 ? "(0, 1)" : "(0, 1 by its backbone)", e.Message, StringComparison.Ordinal);
        Assert.Equal(asked, usenet.Mocks[1].Stats.ArticlesAsked > 0 ? 1 : 0);
    }

    [Fact]
    public async Task A_provider_that_recently_lacked_an_article_is_asked_last_for_it()
    {
        await using var usenet = Start(["", ""], (provider, _) => provider == 1);
        var file = usenet.Post(2_000_000);
        async Task<(long First, long Second)> ReadAsync()
        {
            usenet.Client.Cache.Reclaim(long.MaxValue);
            foreach (var mock in usenet.Mocks)
                mock.ResetStats();
            await UsenetFixture.AssertReadsAsync(usenet.Client.Open(UsenetFixture.TrueMap(file)), file, 0, file.Length);
            return (usenet.Mocks[0].Stats.ArticlesAsked, usenet.Mocks[1].Stats.ArticlesAsked);
        }

        Assert.Equal((3, 3), await ReadAsync());
        Assert.Equal((0, 3), await ReadAsync());

        // It is only asked last: where the other has lost an article it serves it.
        usenet.Mocks[1].Faults.Add(Fault.Missing, FaultTarget.Indexes(file, 1));
        usenet.Mocks[0].Holds = null;
        Assert.Equal((1, 3), await ReadAsync());
        Assert.Equal((1, 2), await ReadAsync());
    }

    [Fact]
    public void Notes_are_limited_and_last_between_one_and_two_lifetimes()
    {
        var notes = new MissingHints(_time);
        Assert.Equal(0UL, notes.Of("a"));
        notes.Add("a", 1);
        notes.Add("a", 4);
        _time.Advance(MissingHints.Lifetime);
        notes.Add("b", 2);
        Assert.Equal((5UL, 2UL), (notes.Of("a"), notes.Of("b")));
        notes.Remove("a", 4);
        Assert.Equal(1UL, notes.Of("a"));
        _time.Advance(MissingHints.Lifetime);
        Assert.Equal((0UL, 2UL), (notes.Of("a"), notes.Of("b")));
        _time.Advance(2 * MissingHints.Lifetime);
        Assert.Equal(0UL, notes.Of("b"));

        for (var i = 0; i < (3 * MissingHints.Most) + 1; i++)
            notes.Add($"<{i}@x>", 8);
        Assert.Equal((8UL, 0UL), (notes.Of($"<{3 * MissingHints.Most}@x>"), notes.Of("<0@x>")));
        notes.Clear();
        Assert.Equal(0UL, notes.Of($"<{3 * MissingHints.Most}@x>"));
    }

    /// <summary>Providers called by their numbers, asked in this order.</summary>
    private UsenetFixture Start(string[] backbones, Func<int, PostedSegment, bool> holds) => new(
        [.. backbones.Select(
            (_, provider) => new MockProviderOptions { Name = $"{provider}", Holds = segment => holds(provider, segment) })],
        (options, provider) => options with { Priority = provider, Backbone = backbones[provider] },
        time: _time);
}

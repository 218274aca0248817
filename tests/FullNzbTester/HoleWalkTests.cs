using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Content;

namespace NzbDav.FullNzbTester.Tests;

public sealed class HoleWalkTests
{
    private const int Article = 256 << 10;

    private readonly LevelFixture _fixture = new("content stream");

    [Fact]
    public async Task A_reported_hole_passes()
    {
        await RunAsync(gone: [3], failing: 3);

        Assert.Empty(_fixture.Findings.Failures);
        Assert.Equal(1, _fixture.Findings["content_holes"]);
    }

    [Fact]
    public async Task A_silently_filled_hole_is_found()
    {
        await RunAsync(gone: [3], failing: null);

        Assert.Equal("holes (content stream): article 4 is gone, and its bytes were served nevertheless.", _fixture.Failure.ToString());
    }

    [Fact]
    public async Task An_available_article_that_is_refused_is_found()
    {
        await RunAsync(gone: [], failing: 3);

        Assert.StartsWith("article 4 is there, but could not be read", _fixture.Failure.Message, StringComparison.Ordinal);
    }

    private async Task RunAsync(int[] gone, int? failing)
    {
        var content = new MemoryContent(_fixture.Bytes, Article);
        if (failing is { } article)
            content.FailAt((long)article * Article, ContentFault.Missing);
        var table = new SegmentTable.Builder();
        for (var i = 0; i < _fixture.Bytes.Length / Article; i++)
            table.Add($"article{i}@test", (long)i * Article, Article);
        var map = ExtentMap.OfWholeSegments(table.Build());
        await new HoleWalk(content, map, gone, new SourceReference(_fixture.Source), _fixture.Stages).RunAsync(CancellationToken.None);
    }
}

using NzbDav.Content;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Posted files that were reckoned, and how much of their first article shows that they are as was reckoned.</summary>
public sealed class RunProofTests
{
    private const int Article = 716_800;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task The_beginning_of_the_first_article_is_enough_when_it_is_as_was_reckoned()
    {
        // Time stands still: what stalls is not asked for again.
        await using var usenet = new UsenetFixture(time: new Fakes.ManualTimeProvider());
        var file = usenet.Post(5 * Article);
        var reckoning = new Reckoning(file, head => head.Length >= 1000);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file), reckoning: reckoning);
        usenet.Mock.Faults.Add(Fault.Stall(after: 20_000), FaultTarget.Indexes(file, 0));
        await using (var reader = content.OpenReader(2 * Article, file.Length, ReadIntent.Playback))
            await UsenetFixture.AssertReadsAsync(reader, file, 2 * Article).WaitAsync(Patience);
        Assert.Equal(0, reckoning.LaidOutAgain);
        usenet.Mock.DropConnections();
    }

    [Fact]
    public async Task A_beginning_that_differs_is_believed_only_when_the_article_is_whole()
    {
        await using var usenet = new UsenetFixture(time: new Fakes.ManualTimeProvider());
        var file = usenet.Post(5 * Article);

        // As if the first bytes had come damaged, and right with the next copy: nothing agrees before all is there.
        var reckoning = new Reckoning(file, head => head.Length == Article);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file), reckoning: reckoning);
        await UsenetFixture.AssertReadsAsync(content, file, 2 * Article, 4 * Article);
        Assert.Equal(0, reckoning.LaidOutAgain);
    }

    [Fact]
    public async Task A_first_article_that_differs_when_it_is_whole_leads_to_another_map()
    {
        await using var usenet = new UsenetFixture(time: new Fakes.ManualTimeProvider());
        var file = usenet.Post(5 * Article);
        var reckoning = new Reckoning(file, _ => false);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file), reckoning: reckoning);
        await UsenetFixture.AssertReadsAsync(content, file, 2 * Article, 4 * Article);
        Assert.Equal(1, reckoning.LaidOutAgain);
    }

    private sealed class Reckoning(PostedFile file, Func<ReadOnlyMemory<byte>, bool> agrees) : IReckoning
    {
        public int LaidOutAgain { get; private set; }

        public IReadOnlyList<ReckonedRun> Runs { get; } =
            [new ReckonedRun(0, file.Segments.Count, new SegmentKey(file.Segments[0].MessageId, 0, file.Segments[0].Size), "video.mkv", file.Length, new byte[] { 1 })];

        public ValueTask<bool> AgreesAsync(ReckonedRun run, ReadOnlyMemory<byte> head) => ValueTask.FromResult(agrees(head));

        public Task<ExtentMap> LayOutAgainAsync(ExtentMap map, string reason)
        {
            LaidOutAgain++;
            return Task.FromResult(UsenetFixture.TrueMap(file));
        }
    }
}

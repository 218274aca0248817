using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.Usenet.Files;

namespace NzbDav.Usenet.Tests.Articles;

/// <summary>Inferred volumes, and how much of their first article proves or refutes them.</summary>
public sealed class VolumeProofTests
{
    private const int Article = 716_800;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task A_matching_beginning_of_the_first_article_is_enough()
    {
        // Time stands still: what stalls is not asked for again, nor what stands behind it. So each article has a connection of its own.
        await using var usenet = new UsenetFixture(
            configure: static (options, _) => options with { WarmConnections = options.MaxConnections }, time: new ManualTimeProvider());
        await Until.TrueAsync(() => usenet.Client.Providers[0].Status.OpenConnections == usenet.Client.Providers[0].Options.MaxConnections);
        var file = usenet.Post(5 * Article);
        var inferred = new Inferred(file, head => head.Length >= 1000);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file), inferred: inferred);
        usenet.Mock.Faults.Add(Fault.Stall(after: 20_000), FaultTarget.Indexes(file, 0));
        await using (var reader = content.OpenReader(2 * Article, file.Length, ReadIntent.Playback))
            await UsenetFixture.AssertReadsAsync(reader, file, 2 * Article).WaitAsync(Patience);
        Assert.Equal(0, inferred.LaidOutAgain);
        usenet.Mock.DropConnections();
    }

    [Fact]
    public async Task A_differing_beginning_counts_only_once_the_article_is_complete()
    {
        await using var usenet = new UsenetFixture(time: new ManualTimeProvider());
        var file = usenet.Post(5 * Article);

        // As if the first bytes had come damaged, and right with the next copy: nothing agrees before all is there.
        var inferred = new Inferred(file, head => head.Length == Article);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file), inferred: inferred);
        await UsenetFixture.AssertReadsAsync(content, file, 2 * Article, 4 * Article);
        Assert.Equal(0, inferred.LaidOutAgain);
    }

    [Fact]
    public async Task A_complete_first_article_that_differs_leads_to_another_map()
    {
        await using var usenet = new UsenetFixture(time: new ManualTimeProvider());
        var file = usenet.Post(5 * Article);
        var inferred = new Inferred(file, _ => false);
        var content = usenet.Client.Open(UsenetFixture.TrueMap(file), inferred: inferred);
        await UsenetFixture.AssertReadsAsync(content, file, 2 * Article, 4 * Article);
        Assert.Equal(1, inferred.LaidOutAgain);
    }

    private sealed class Inferred(PostedFile file, Func<ReadOnlyMemory<byte>, bool> agrees) : IInferredLayout
    {
        public int LaidOutAgain { get; private set; }

        public IReadOnlyList<InferredVolume> Volumes { get; } =
            [new InferredVolume(new SegmentKey(file.Segments[0].MessageId, 0, file.Segments[0].Size), "video.mkv",
                file.Length) { Count = file.Segments.Count, Header = new byte[] { 1 } }];

        public ValueTask<bool> AgreesAsync(InferredVolume volume, ReadOnlyMemory<byte> head) => ValueTask.FromResult(agrees(head));

        public Task<ExtentMap> RebuildMapAsync(ExtentMap map, string reason)
        {
            LaidOutAgain++;
            return Task.FromResult(UsenetFixture.TrueMap(file));
        }
    }
}

using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>
/// Short closed ranges around the middle of articles, where the mock damages them, at each article's first request. Such a
/// range ends before the article's checksum is known: the hardest case for a server that sends bytes as they arrive.
/// </summary>
internal sealed class DamageStage(DavReads reads)
{
    private const int Ranges = 100;
    private const long Bytes = 128 << 10;

    public Task RunAsync(CancellationToken cancellationToken) =>
        reads.Stages.RunAsync("short ranges of damaged articles", RunAsync, cancellationToken);

    private async Task RunAsync(Stage stage, CancellationToken cancellationToken)
    {
        var articles = reads.Target.Length / MockPost.ArticleSize;
        var count = Math.Min(Ranges, articles);
        for (var i = 0L; i < count; i++)
        {
            using var client = reads.Client();
            var middle = (articles * i / count * MockPost.ArticleSize) + (MockPost.ArticleSize / 2);
            await reads.ReadAsync(stage, client, RangeRequest.Closed(middle - (Bytes / 2), Bytes), cancellationToken);
            stage.Progress((double)i / count);
        }

        stage.Say("short ranges of damaged articles", stage.HasFailed ? "some were wrong" : "all right",
            new Figure("webdav_damage_ranges", count));
    }
}

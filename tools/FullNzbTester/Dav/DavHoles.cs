using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>
/// Reads over WebDAV while articles are missing. Everything else must be served and right. A missing article must show as a status or a cut
/// connection, never as other bytes or a complete response.
/// </summary>
internal sealed class DavHoles(DavReads reads, IReadOnlySet<int> missing, int articles)
{
    private const int Together = 8;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await WalkAsync(cancellationToken);
        await reads.Stages.RunAsync("sequential up to a hole", StopAsync, cancellationToken);
    }

    /// <summary>Each article as a range of its own.</summary>
    public Task WalkAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("holes", WalkAsync, cancellationToken);

    private async Task WalkAsync(Stage stage, CancellationToken cancellationToken)
    {
        var (done, cut, refused) = (0, 0, 0);
        var options = new ParallelOptions { MaxDegreeOfParallelism = Together, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, articles, options, async (article, token) =>
        {
            using var client = reads.Client();
            var start = article * MockPost.ArticleSize;
            using var check = reads.Reference.Open(stage, start);
            var read = await client.GetAsync(
                RangeRequest.Closed(start, Math.Min(MockPost.ArticleSize, reads.Target.Length - start)), check, token);
            if (missing.Contains(article) != read.Fault is not null)
                stage.Fail(
                    read.Fault is { } fault
                    ? $"article {article + 1} is there, but {fault}."
                    : $"article {article + 1} is gone, and its bytes were served nevertheless.");
            if (read.Silent)
                stage.Fail($"article {article + 1}: {read.Fault}.");
            if (read.Fault is not null)
                _ = read.Status is 200 or 206 or 0 ? Interlocked.Increment(ref cut) : Interlocked.Increment(ref refused);
            stage.Progress((double)Interlocked.Increment(ref done) / articles);
        });
        stage.Add("articles gone / refused / cut off", new Figure("webdav_holes", missing.Count),
            new Figure("webdav_holes_refused", refused), new Figure("webdav_holes_cut", cut));
    }

    private async Task StopAsync(Stage stage, CancellationToken cancellationToken)
    {
        if (missing.Count == 0)
            return;
        var hole = missing.Min() * MockPost.ArticleSize;
        using var client = reads.Client();
        using var check = reads.Reference.Open(stage, 0);
        var read = await client.GetAsync(RangeRequest.Open(0, reads.Target.Length), check, cancellationToken);
        if (read.Fault is null || read.Silent)
            stage.Fail($"an article at byte {hole:N0} is gone, and the response was whole nevertheless.");
        else if (read.Received != hole)
            stage.Fail($"an article at byte {hole:N0} is gone, but {read.Received:N0} bytes came before the response was cut.");
        stage.Add("bytes before the first hole", new Figure("webdav_before_hole_bytes", hole));
        stage.Add("bytes that came before it", new Figure("webdav_came_before_hole_bytes", read.Received));
    }
}

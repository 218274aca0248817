using NzbDav.Content;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Content;

/// <summary>
/// Reads content article by article when some are missing: the others must be right, and each missing one must be reported.
/// </summary>
internal sealed class HoleWalk(IContent content, ExtentMap map, IReadOnlyList<int> missing, IReference reference, StageRunner stages)
{
    private const int Together = 16;

    public Task<bool> RunAsync(CancellationToken cancellationToken) => stages.RunAsync("holes", WalkAsync, cancellationToken);

    private async Task WalkAsync(Stage stage, CancellationToken cancellationToken)
    {
        var gone = missing.ToHashSet();
        var done = 0;
        var options = new ParallelOptions { MaxDegreeOfParallelism = Together, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, map.Segments.Count, options, async (segment, token) =>
        {
            var fault = await ReadAsync(stage, segment, token);
            if (gone.Contains(segment) && fault is null)
                stage.Fail($"article {segment + 1} is gone, and its bytes were served nevertheless.");
            else if (!gone.Contains(segment) && fault is not null)
                stage.Fail($"article {segment + 1} is there, but could not be read: {fault}");
            stage.Progress((double)Interlocked.Increment(ref done) / map.Segments.Count);
        });
        stage.Add("articles gone / reported as gone", new Figure("content_holes", gone.Count),
            new Figure("content_holes_reported", stage.HasFailed ? null : gone.Count));
    }

    private async Task<string?> ReadAsync(Stage stage, int segment, CancellationToken cancellationToken)
    {
        var start = map.Segments.Begin(segment);
        using var check = reference.Open(stage, start);
        await using var reader = content.OpenReader(start, start + map.Segments.Size(segment), ReadIntent.Probe);
        try
        {
            while (true)
            {
                using var lease = await reader.NextAsync(cancellationToken);
                if (lease.IsEmpty)
                    return null;
                check.Take(lease.Memory.Span);
            }
        }
        catch (ContentException e)
        {
            return e.Message;
        }
    }
}

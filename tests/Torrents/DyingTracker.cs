using NzbDav.Torrents.Discovery;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Tests;

/// <summary>Answers until it is dead, and never to "stopped".</summary>
internal sealed class DyingTracker : ITrackerClient
{
    public bool IsDead { get; set; }

    public TaskCompletionSource<CancellationToken> Leaving { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public async Task<TrackerAnswer> AnnounceAsync(Uri tracker, TrackerRequest request, CancellationToken cancellationToken)
    {
        if (request.Event == TrackerEvent.Stopped)
        {
            Leaving.SetResult(cancellationToken);
            await Task.Delay(Timeout.Infinite, cancellationToken);
        }

        return IsDead
            ? TrackerAnswer.Failed("the tracker does not answer")
            : new TrackerAnswer(null, [], TimeSpan.FromMinutes(30), TimeSpan.Zero);
    }

    public Task<TrackerCounts?> ScrapeAsync(Uri tracker, InfoHash hash, CancellationToken cancellationToken) =>
        Task.FromResult<TrackerCounts?>(null);
}

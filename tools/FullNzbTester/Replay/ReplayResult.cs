namespace NzbDav.FullNzbTester.Replay;

/// <summary>Results of a replay.</summary>
/// <param name="Recorded">What the recorded clients met.</param>
/// <param name="Replayed">What the replayed clients met, from the replayed server's recording.</param>
/// <param name="Counts">What the replayed clients counted.</param>
internal sealed record ReplayResult(ReplayFigures Recorded, ReplayFigures Replayed, ReplayCounts Counts)
{
    /// <summary>True when every byte was right, no read hung, and nothing failed that succeeded in the recording.</summary>
    public bool Passed => Counts is { Wrong: 0, Hung: 0, Failed: 0 };
}

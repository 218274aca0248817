namespace NzbDav.FullNzbTester.Replay;

/// <summary>What came of a replay.</summary>
/// <param name="Recorded">What the recorded clients met.</param>
/// <param name="Replayed">What the replayed server recorded of its own.</param>
/// <param name="Counts">What the replayed clients met.</param>
internal sealed record ReplayResult(ReplayFigures Recorded, ReplayFigures Replayed, ReplayCounts Counts)
{
    /// <summary>True when every byte was right, no read hung, and nothing failed that did not fail then.</summary>
    public bool Passed => Counts is { Wrong: 0, Hung: 0, Failed: 0 };
}

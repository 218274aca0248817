namespace NzbDav.FullNzbTester.Replay;

/// <summary>Results of a replay.</summary>
/// <param name="Recorded">Figures of the recorded clients.</param>
/// <param name="Replayed">Figures of the replayed clients, from the replayed server's recording.</param>
/// <param name="Counts">Counts made by the replayed clients.</param>
internal sealed record ReplayResult(ReplayFigures Recorded, ReplayFigures Replayed, ReplayCounts Counts)
{
    /// <summary>True when every byte was right, no read hung, and nothing failed that succeeded in the recording.</summary>
    public bool Passed => Counts is { Wrong: 0, Hung: 0, Failed: 0 };
}

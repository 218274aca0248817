namespace NzbDav.Torrents.Status;

/// <summary>Consecutive pieces in the same state.</summary>
/// <param name="State">Their state.</param>
/// <param name="Length">How many, at least 1.</param>
public readonly record struct PieceRun(PieceState State, int Length);

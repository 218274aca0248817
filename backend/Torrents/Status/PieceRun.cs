namespace NzbDav.Torrents.Status;

/// <summary>Pieces in a row that stand alike.</summary>
/// <param name="State">How they stand.</param>
/// <param name="Length">How many, at least 1.</param>
public readonly record struct PieceRun(PieceState State, int Length);

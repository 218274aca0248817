namespace NzbDav.Archives.Recovery;

/// <summary>What came of a repair.</summary>
/// <param name="Slices">What was made again, by file and offset; empty when nothing could be, or nothing had to be.</param>
/// <param name="Missing">Slices that were missing or damaged.</param>
/// <param name="Available">Recovery slices that could be used.</param>
/// <param name="Failure">Why nothing was made, in words; null when all is whole.</param>
public sealed record RepairResult(IReadOnlyList<MendedSlice> Slices, int Missing, int Available, string? Failure);

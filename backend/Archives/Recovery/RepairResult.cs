namespace NzbDav.Archives.Recovery;

/// <summary>Result of a repair. Owns the bytes of the slices.</summary>
/// <param name="Slices">Restored slices, by file and offset; empty if none could be restored, or none had to be.</param>
/// <param name="Missing">Number of slices that were missing or damaged.</param>
/// <param name="Available">Number of usable recovery slices.</param>
/// <param name="Failure">Why nothing was restored, as a sentence; null if that succeeded or everything is intact.</param>
public sealed record RepairResult(IReadOnlyList<MendedSlice> Slices, int Missing, int Available, string? Failure) : IDisposable
{
    internal RestoredSlices? Restored { get; init; }

    /// <summary>Gives the memory or the file of the slices back.</summary>
    public void Dispose() => Restored?.Dispose();
}

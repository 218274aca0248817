using NzbDav.Content;

namespace NzbDav.Catalog;

/// <summary>An extent map with what is known of it.</summary>
/// <param name="Map">The map.</param>
/// <param name="SizesVerified">True if every segment's size was seen in the segment itself; false if some were computed from others.</param>
public sealed record StoredExtentMap(ExtentMap Map, bool SizesVerified)
{
    /// <summary>What of the map was reckoned and has to be proven when it is read, by place; no two overlap. Empty when all was seen.</summary>
    public IReadOnlyList<ReckonedRun> Reckoned { get; init; } = [];
}

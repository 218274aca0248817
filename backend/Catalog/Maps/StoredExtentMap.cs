using NzbDav.Content;

namespace NzbDav.Catalog.Maps;

/// <summary>An extent map with what is known of it.</summary>
/// <param name="Map">The map.</param>
/// <param name="SizesVerified">True if every segment's size was seen in the segment itself; false if some were computed from others.</param>
public sealed record StoredExtentMap(ExtentMap Map, bool SizesVerified)
{
    /// <summary>The volumes in the map that readers have to prove, by place; no two overlap. Empty when every volume was read.</summary>
    public IReadOnlyList<InferredVolume> Inferred { get; init; } = [];
}

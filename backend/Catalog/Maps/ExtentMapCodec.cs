using NzbDav.Content;

namespace NzbDav.Catalog.Maps;

/// <summary>
/// Binary form of extent maps. Regular parts cost almost nothing: sizes and offsets are runs, whole segments are implied, and ids share a
/// prefix and suffix with the previous id. What remains are the random parts of the ids; the blob store entropy-codes them.
/// <see cref="ExtentMapFormat"/> defines the format.
/// </summary>
public static class ExtentMapCodec
{
    /// <summary>Encodes a map; equal maps give equal bytes.</summary>
    /// <exception cref="ArgumentException">An id is longer than 500 bytes, or there are more than 16 million segments.</exception>
    public static ReadOnlyMemory<byte> Encode(ExtentMap map, bool sizesVerified)
    {
        ArgumentNullException.ThrowIfNull(map);
        return Encode(new StoredExtentMap(map, sizesVerified));
    }

    /// <inheritdoc cref="Encode(ExtentMap, bool)"/>
    public static ReadOnlyMemory<byte> Encode(StoredExtentMap stored)
    {
        ArgumentNullException.ThrowIfNull(stored);
        return new ExtentMapEncoder(stored.Map).Encode(stored.SizesVerified, stored.Inferred);
    }

    /// <summary>Decodes a map. Memory use is bounded by the length of the input, whatever the input claims.</summary>
    /// <exception cref="InvalidDataException">The bytes are damaged, or a newer version wrote them.</exception>
    public static StoredExtentMap Decode(ReadOnlySpan<byte> bytes) => new ExtentMapDecoder(bytes).Decode();
}

/// <summary>An extent map and what is known about its accuracy.</summary>
/// <param name="Map">The map.</param>
/// <param name="SizesVerified">True if every segment's size was read from the segment itself; false if some were computed from
/// others.</param>
public sealed record StoredExtentMap(ExtentMap Map, bool SizesVerified)
{
    /// <summary>The volumes in the map that readers must verify, in order and without overlap. Empty if every volume was read.</summary>
    public IReadOnlyList<InferredVolume> Inferred { get; init; } = [];
}

using NzbDav.Content;

namespace NzbDav.Catalog.Maps;

/// <summary>
/// Extent maps as bytes. What is regular costs nothing: sizes and offsets are runs, whole segments are implied, ids share their
/// beginning and end with the id before. What is left are the random parts of the ids, which nothing can shorten but
/// entropy coding, which the blob store does. <see cref="ExtentMapFormat"/> says what the bytes mean.
/// </summary>
public static class ExtentMapCodec
{
    /// <summary>The bytes of a map; equal maps give equal bytes.</summary>
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

    /// <summary>The map of these bytes. Memory use is bounded by the length of the input, whatever it claims.</summary>
    /// <exception cref="InvalidDataException">The bytes are damaged, or a newer version wrote them.</exception>
    public static StoredExtentMap Decode(ReadOnlySpan<byte> bytes) => new ExtentMapDecoder(bytes).Decode();
}

/// <summary>An extent map with what is known of it.</summary>
/// <param name="Map">The map.</param>
/// <param name="SizesVerified">True if every segment's size was seen in the segment itself; false if some were computed from
/// others.</param>
public sealed record StoredExtentMap(ExtentMap Map, bool SizesVerified)
{
    /// <summary>The volumes in the map that readers have to prove, by place; no two overlap. Empty when every volume was read.</summary>
    public IReadOnlyList<InferredVolume> Inferred { get; init; } = [];
}

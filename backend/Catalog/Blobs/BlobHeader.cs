using System.Buffers.Binary;

namespace NzbDav.Catalog.Blobs;

/// <summary>The first 13 bytes of a blob file: <c>NZDB</c>, the codec, the uncompressed length (little-endian).</summary>
internal readonly record struct BlobHeader(BlobCodec Codec, long Length)
{
    public const int Size = 13;

    public void Write(Span<byte> target)
    {
        "NZDB"u8.CopyTo(target);
        target[4] = (byte)Codec;
        BinaryPrimitives.WriteInt64LittleEndian(target[5..], Length);
    }

    /// <summary>False if this is not the beginning of a blob file.</summary>
    public static bool TryRead(ReadOnlySpan<byte> source, out BlobHeader header)
    {
        header = default;
        if (source.Length < Size || !source.StartsWith("NZDB"u8))
            return false;
        header = new((BlobCodec)source[4], BinaryPrimitives.ReadInt64LittleEndian(source[5..]));
        return header is { Codec: BlobCodec.Zstandard or BlobCodec.Brotli, Length: >= 0 };
    }
}

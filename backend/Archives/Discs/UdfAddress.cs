using System.Buffers.Binary;

namespace NzbDav.Archives.Discs;

/// <summary>A block of a partition.</summary>
/// <param name="Block">Logical block.</param>
/// <param name="Partition">Index into the partition maps.</param>
internal readonly record struct UdfAddress(uint Block, int Partition)
{
    /// <summary>Of a "long_ad" (ECMA-167, 4/14.14.2): length, block, partition.</summary>
    public static UdfAddress OfLong(ReadOnlySpan<byte> bytes) => new(BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]), BinaryPrimitives.ReadUInt16LittleEndian(bytes[8..]));
}

using System.Buffers.Binary;

namespace NzbDav.Archives.Discs;

/// <summary>Descriptor tags (ECMA-167, 3/7.2 and 4/7.2), which identify the type of a block.</summary>
internal static class UdfTag
{
    public const int Anchor = 2;
    public const int Partition = 5;
    public const int LogicalVolume = 6;
    public const int Terminator = 8;
    public const int FileSet = 256;
    public const int FileIdentifier = 257;
    public const int AllocationExtent = 258;
    public const int FileEntry = 261;
    public const int ExtendedFileEntry = 266;

    /// <summary>True if the block has this tag and the tag's own checksum is right.</summary>
    public static bool Is(ReadOnlySpan<byte> block, int identifier)
    {
        if (block.Length < 16 || BinaryPrimitives.ReadUInt16LittleEndian(block) != identifier)
            return false;

        // "Sum modulo 256 of bytes 0 – 3 and 5 – 15."
        byte sum = 0;
        for (var i = 0; i < 16; i++)
            sum += i == 4 ? (byte)0 : block[i];
        return sum == block[4];
    }
}

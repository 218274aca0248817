using System.Text;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Archives;

/// <summary>Packs one file into a 7z archive, stored (Copy), split into volumes. The same arguments give the same bytes.</summary>
public static class StoredSevenZip
{
    private const int End = 0;
    private const int Header = 1;
    private const int MainStreams = 4;
    private const int Files = 5;
    private const int PackInfo = 6;
    private const int UnpackInfo = 7;
    private const int SubStreams = 8;
    private const int Size = 9;
    private const int Crc = 0x0A;
    private const int Folder = 0x0B;
    private const int UnpackSize = 0x0C;
    private const int Names = 0x11;

    /// <summary>Returns the volumes in order.</summary>
    /// <param name="name">The file's name in the archive.</param>
    /// <param name="bytes">Its bytes: at least one.</param>
    /// <param name="volumeSize">Bytes of each volume except the last: at least 1.</param>
    public static IReadOnlyList<byte[]> Pack(string name, byte[] bytes, int volumeSize)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(bytes);
        ArgumentOutOfRangeException.ThrowIfZero(bytes.Length, nameof(bytes));
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(volumeSize);
        var names = new FieldWriter().U8(0).Add(Encoding.Unicode.GetBytes(name + "\0")).ToArray();
        var header = new FieldWriter().U8(Header).U8(MainStreams)
            .U8(PackInfo).Number(0).Number(1).U8(Size).Number(bytes.Length).U8(End)

            // One folder with one coder, whose id is the one byte 0: Copy.
            .U8(UnpackInfo).U8(Folder).Number(1).U8(0).Number(1).U8(1).U8(0).U8(UnpackSize).Number(bytes.Length).U8(End)
            .U8(SubStreams).U8(Crc).U8(1).U32(Crc32.Of(bytes)).U8(End).U8(End)
            .U8(Files).Number(1).U8(Names).Number(names.Length).Add(names).U8(End).U8(End).ToArray();
        var start = new FieldWriter().U64((ulong)bytes.Length).U64((ulong)header.Length).U32(Crc32.Of(header)).ToArray();
        var all = new FieldWriter().Add([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4]).U32(Crc32.Of(start)).Add(start).Add(bytes).Add(header)
            .ToArray();
        return [.. all.Chunk(volumeSize)];
    }
}

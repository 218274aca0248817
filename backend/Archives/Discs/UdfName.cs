using System.Buffers.Binary;
using System.Text;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Discs;

/// <summary>A name in a directory (file identifier descriptor; ECMA-167, 4/14.4).</summary>
/// <param name="Name">The decoded name.</param>
/// <param name="Address">Address of the file entry.</param>
internal readonly record struct UdfName(string Name, UdfAddress Address)
{
    private const int FixedLength = 38;
    private const int Deleted = 0x04;
    private const int Parent = 0x08;

    /// <summary>All names of a directory, except the parent and deleted ones.</summary>
    public static List<UdfName> ReadAll(ReadOnlySpan<byte> directory)
    {
        var names = new List<UdfName>();
        while (directory.Length >= FixedLength)
        {
            if (!UdfTag.Is(directory, UdfTag.FileIdentifier))
                throw ArchiveException.Damaged("The disc image has a damaged directory.");
            int characteristics = directory[18], nameLength = directory[19];
            int use = BinaryPrimitives.ReadUInt16LittleEndian(directory[36..]);
            var length = (FixedLength + use + nameLength + 3) / 4 * 4;
            if (FixedLength + use + nameLength > directory.Length)
                throw ArchiveException.Damaged("The disc image has a damaged directory.");
            if ((characteristics & (Deleted | Parent)) == 0)
                names.Add(new UdfName(Decode(directory.Slice(FixedLength + use, nameLength)), UdfAddress.OfLong(directory[20..])));
            directory = directory[Math.Min(length, directory.Length)..];
        }

        return names;
    }

    // UDF 2.60, 2.1.1: "OSTA Compressed Unicode": 8 = a byte for each character, 16 = two, the high one first.
    private static string Decode(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? string.Empty : bytes[0] switch
    {
        8 or 254 => Encoding.Latin1.GetString(bytes[1..]),
        16 or 255 => Encoding.BigEndianUnicode.GetString(bytes[1..]),
        _ => throw ArchiveException.Damaged("The disc image has a name in an unknown encoding."),
    };
}

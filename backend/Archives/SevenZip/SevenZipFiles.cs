using System.Text;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.SevenZip;

/// <summary>Reads "Files Information".</summary>
internal static class SevenZipFiles
{
    private const byte End = 0x00;
    private const byte EmptyStream = 0x0E;
    private const byte EmptyFile = 0x0F;
    private const byte Anti = 0x10;
    private const byte Names = 0x11;
    private const byte ModifiedTime = 0x14;
    private const byte Attributes = 0x15;

    /// <summary>FILE_ATTRIBUTE_DIRECTORY.</summary>
    private const uint DirectoryAttribute = 0x10;

    public static void Read(ref SevenZipReader reader, List<SevenZipFolder> folders, List<SevenZipFile> files)
    {
        if (files.Count > 0)
            throw ArchiveException.Damaged("7z: the list of files occurs twice.");

        // A name has at least two bytes.
        var count = reader.Count(leastBits: 16);
        for (var i = 0; i < count; i++)
            files.Add(new SevenZipFile());
        var empty = new bool[count];
        bool[] emptyFile = [], anti = [];
        uint?[] attributes = [];
        for (var type = reader.U8(); type != End; type = reader.U8())
        {
            var property = new SevenZipReader(reader.Bytes(reader.Number()));
            switch (type)
            {
                case EmptyStream:
                    empty = property.Bits(count);
                    break;
                case EmptyFile:
                    emptyFile = property.Bits(empty.Count(value => value));
                    break;
                case Anti:
                    anti = property.Bits(empty.Count(value => value));
                    break;
                case Names:
                    ReadNames(ref property, files);
                    break;
                case ModifiedTime:
                    ReadTimes(ref property, files);
                    break;
                case Attributes:
                    var defined = property.Defined(count);
                    RefuseExternal(ref property);
                    attributes = Array.ConvertAll(defined, _ => (uint?)null);
                    for (var i = 0; i < count; i++)
                        attributes[i] = defined[i] ? property.U32() : null;
                    break;
            }
        }

        Join(files, folders, empty, emptyFile, anti, attributes);
    }

    private static void Join(
        List<SevenZipFile> files, List<SevenZipFolder> folders, bool[] empty, bool[] emptyFile, bool[] anti, uint?[] attributes)
    {
        int emptyIndex = 0, folder = 0, stream = 0;
        long start = 0;
        for (var i = 0; i < files.Count; i++)
        {
            var file = files[i];
            if (empty[i])
            {
                file.IsDirectory = emptyIndex >= emptyFile.Length || !emptyFile[emptyIndex];
                file.IsAnti = emptyIndex < anti.Length && anti[emptyIndex];
                emptyIndex++;
                continue;
            }

            while (folder < folders.Count && stream == folders[folder].Streams.Count)
                (folder, stream, start) = (folder + 1, 0, 0);
            if (folder == folders.Count)
                throw ArchiveException.Damaged("7z: there are more files than streams.");
            (file.Folder, file.Start) = (folders[folder], start);
            (file.Size, file.Crc32) = folders[folder].Streams[stream++];
            file.IsDirectory = file.Size == 0 && i < attributes.Length && (attributes[i] & DirectoryAttribute) != 0;
            start += file.Size;
        }
    }

    private static void ReadNames(ref SevenZipReader reader, List<SevenZipFile> files)
    {
        RefuseExternal(ref reader);
        var bytes = reader.Bytes(reader.Left);
        foreach (var file in files)
        {
            var length = 0;
            while (length + 1 < bytes.Length && (bytes[length] | bytes[length + 1]) != 0)
                length += 2;
            if (length + 1 >= bytes.Length)
                throw ArchiveException.Damaged("7z: there are fewer names than files.");
            file.Path = Encoding.Unicode.GetString(bytes[..length]);
            bytes = bytes[(length + 2)..];
        }
    }

    private static void ReadTimes(ref SevenZipReader reader, List<SevenZipFile> files)
    {
        var defined = reader.Defined(files.Count);
        RefuseExternal(ref reader);
        for (var i = 0; i < files.Count; i++)
            files[i].Modified = defined[i] ? FileTime.ToDate(reader.U64()) : null;
    }

    private static void RefuseExternal(ref SevenZipReader reader)
    {
        if (reader.U8() != 0)
            throw new ArchiveException(
                ArchiveRefusalReason.Unsupported, "7z: the description of the files is stored externally, which is not supported.");
    }
}

/// <summary>A file or directory of a 7z archive.</summary>
internal sealed class SevenZipFile
{
    public string Path { get; set; } = string.Empty;

    public bool IsDirectory { get; set; }

    public bool IsAnti { get; set; }

    public DateTimeOffset? Modified { get; set; }

    public long Size { get; set; }

    public uint? Crc32 { get; set; }

    /// <summary>The folder that contains its bytes; null for directories and empty files.</summary>
    public SevenZipFolder? Folder { get; set; }

    /// <summary>Offset in the folder's unpacked bytes.</summary>
    public long Start { get; set; }
}

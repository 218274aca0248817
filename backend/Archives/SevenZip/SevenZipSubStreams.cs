using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.SevenZip;

/// <summary>Reads "SubStreams Info": how many files each folder contains, their sizes and checksums.</summary>
internal static class SevenZipSubStreams
{
    private const byte End = 0x00;
    private const byte Size = 0x09;
    private const byte Crc = 0x0A;
    private const byte UnpackStreamCount = 0x0D;

    public static void Read(ref SevenZipReader reader, List<SevenZipFolder> folders)
    {
        var counts = new int[folders.Count];
        Array.Fill(counts, 1);
        var type = reader.U8();
        if (type == UnpackStreamCount)
        {
            long total = 0;
            for (var i = 0; i < counts.Length; i++)
            {
                var count = reader.Number();
                total += Math.Min(count, SevenZipReader.MostItems + 1);
                if (total > SevenZipReader.MostItems)
                    throw SevenZipReader.TooMany(total);
                counts[i] = (int)count;
            }

            type = reader.U8();
        }

        var sized = type == Size;
        for (var i = 0; i < counts.Length; i++)
            ReadSizes(ref reader, folders[i], counts[i], sized);
        if (sized)
            type = reader.U8();
        for (; type != End; type = reader.U8())
        {
            if (type != Crc)
                throw ArchiveException.Damaged("7z: the description of the files' streams holds an unknown part.");
            ReadDigests(ref reader, folders);
        }

        foreach (var folder in folders)
        {
            if (folder.Streams is [(var size, null)])
                folder.Streams[0] = (size, folder.Crc32);
        }
    }

    // Reads for each folder all sizes except the last, which is the rest.
    private static void ReadSizes(ref SevenZipReader reader, SevenZipFolder folder, int count, bool sized)
    {
        if (count > 1 && !sized)
            throw ArchiveException.Damaged("7z: the sizes of the files are missing.");
        var left = folder.Size;
        for (var i = 0; i < count; i++)
        {
            var size = i == count - 1 ? left : reader.Number();
            if (size > left)
                throw ArchiveException.Damaged("7z: the files are longer than what they are packed in.");
            folder.Streams.Add((size, null));
            left -= size;
        }
    }

    // Reads the checksums of the streams for which the folder has none.
    private static void ReadDigests(ref SevenZipReader reader, List<SevenZipFolder> folders)
    {
        var unknown = folders.Where(folder => folder.Streams.Count != 1 || folder.Crc32 is null).Sum(folder => folder.Streams.Count);
        var digests = reader.Digests(unknown);
        var next = 0;
        foreach (var folder in folders)
        {
            if (folder.Streams.Count == 1 && folder.Crc32 is not null)
                continue;
            for (var i = 0; i < folder.Streams.Count; i++)
                folder.Streams[i] = (folder.Streams[i].Size, digests[next++]);
        }
    }
}

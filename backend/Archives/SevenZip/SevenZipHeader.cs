using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.SevenZip;

/// <summary>The contents of a 7z header: the folders, and the files with their names.</summary>
internal sealed class SevenZipHeader
{
    private const byte End = 0x00;
    private const byte Header = 0x01;
    private const byte ArchiveProperties = 0x02;
    private const byte AdditionalStreamsInfo = 0x03;
    private const byte MainStreamsInfo = 0x04;
    private const byte FilesInfo = 0x05;
    private const byte PackInfo = 0x06;
    private const byte UnpackInfo = 0x07;
    private const byte SubStreamsInfo = 0x08;
    private const byte Size = 0x09;
    private const byte Crc = 0x0A;
    private const byte Folder = 0x0B;
    private const byte CodersUnpackSize = 0x0C;
    private const byte EncodedHeader = 0x17;

    /// <summary>Base of all offsets in the header: the end of the signature header.</summary>
    private const long Base = 32;

    /// <summary>Most coders of a folder, as in 7-Zip (k_Scan_NumCoders_MAX).</summary>
    private const int MostCoders = 64;

    public List<SevenZipFolder> Folders { get; } = [];

    public List<SevenZipFile> Files { get; } = [];

    /// <summary>True if it only describes how the real header is packed, which is in the first folder.</summary>
    public bool IsEncoded { get; private set; }

    /// <exception cref="ArchiveException">It is damaged.</exception>
    public static SevenZipHeader Parse(ReadOnlySpan<byte> bytes)
    {
        var header = new SevenZipHeader();
        var reader = new SevenZipReader(bytes);
        switch (reader.U8())
        {
            case EncodedHeader:
                header.IsEncoded = true;
                header.ReadStreams(ref reader);
                if (header.Folders.Count != 1)
                    throw ArchiveException.Damaged("7z: the packed header is not one stream.");
                break;
            case Header:
                header.ReadHeader(ref reader);
                break;
            default:
                throw ArchiveException.Damaged("7z: the header has an unknown type.");
        }

        return header;
    }

    private void ReadHeader(ref SevenZipReader reader)
    {
        var hasStreams = false;
        while (true)
        {
            switch (reader.U8())
            {
                case End:
                    return;
                case ArchiveProperties:
                    while (reader.U8() != End)
                        reader.Bytes(reader.Number());
                    break;
                case AdditionalStreamsInfo:
                    throw new ArchiveException(
                        ArchiveRefusalReason.Unsupported, "7z: the header has additional streams, which are not supported.");
                case MainStreamsInfo when !hasStreams:
                    hasStreams = true;
                    ReadStreams(ref reader);
                    break;
                case FilesInfo:
                    SevenZipFiles.Read(ref reader, Folders, Files);
                    break;
                default:
                    throw ArchiveException.Damaged("7z: the header holds an unknown part, or one twice.");
            }
        }
    }

    private void ReadStreams(ref SevenZipReader reader)
    {
        long start = Base;
        List<long> packed = [];
        var hasSubStreams = false;
        while (true)
        {
            switch (reader.U8())
            {
                case End:
                    if (!hasSubStreams)
                        WholeFolders();
                    return;
                case PackInfo when packed.Count == 0:
                    start = checked(Base + Math.Min(reader.Number(), long.MaxValue - Base));
                    packed = ReadPackSizes(ref reader);
                    break;
                case UnpackInfo when Folders.Count == 0:
                    ReadFolders(ref reader);
                    Place(start, packed);
                    break;
                case SubStreamsInfo when !hasSubStreams:
                    SevenZipSubStreams.Read(ref reader, Folders);
                    hasSubStreams = true;
                    break;
                default:
                    throw ArchiveException.Damaged("7z: the description of the streams holds an unknown part, or one twice.");
            }
        }
    }

    private static List<long> ReadPackSizes(ref SevenZipReader reader)
    {
        var count = reader.Count();
        var sizes = new List<long>();
        while (true)
        {
            switch (reader.U8())
            {
                case End:
                    return sizes;
                case Size when sizes.Count == 0:
                    for (var i = 0; i < count; i++)
                        sizes.Add(reader.Number());
                    break;
                case Crc:
                    reader.Digests(count);
                    break;
                default:
                    throw ArchiveException.Damaged("7z: the description of the packed streams holds an unknown part, or one twice.");
            }
        }
    }

    private void ReadFolders(ref SevenZipReader reader)
    {
        if (reader.U8() != Folder)
            throw ArchiveException.Damaged("7z: the folders are missing.");
        var count = reader.Count();
        if (reader.U8() != 0)
            throw new ArchiveException(
                ArchiveRefusalReason.Unsupported, "7z: the description of the folders is stored externally, which is not supported.");
        var coders = 0;
        for (var i = 0; i < count; i++)
        {
            Folders.Add(ReadFolder(ref reader));
            coders += Folders[^1].Coders.Length;
            if (coders > SevenZipReader.MostItems)
                throw SevenZipReader.TooMany(coders);
        }

        if (reader.U8() != CodersUnpackSize)
            throw ArchiveException.Damaged("7z: the folders' sizes are missing.");
        foreach (var folder in Folders)
        {
            folder.Sizes = new long[folder.Coders.Length];
            for (var i = 0; i < folder.Sizes.Length; i++)
                folder.Sizes[i] = reader.Number();
        }

        while (true)
        {
            switch (reader.U8())
            {
                case End:
                    return;
                case Crc:
                    var digests = reader.Digests(count);
                    for (var i = 0; i < count; i++)
                        Folders[i].Crc32 = digests[i];
                    break;
                default:
                    throw ArchiveException.Damaged("7z: the description of the folders holds an unknown part.");
            }
        }
    }

    // "Folder": coders, then which stream feeds which, then which streams are packed ones.
    private static SevenZipFolder ReadFolder(ref SevenZipReader reader)
    {
        var count = reader.Count();
        if (count is 0 or > MostCoders)
            throw ArchiveException.Damaged($"7z: a folder with {count} coders.");
        var coders = new SevenZipCoder[count];
        var inputs = 0;
        for (var i = 0; i < count; i++)
        {
            // Bits 0 … 3: size of the id; bit 4: it has several streams; bit 5: it has properties.
            var flags = reader.U8();
            ulong method = 0;
            foreach (var part in reader.Bytes(flags & 0x0F))
                method = (method << 8) | part;
            int ins = 1, outs = 1;
            if ((flags & 0x10) != 0)
                (ins, outs) = ((int)Math.Min(reader.Number(), MostCoders + 1), (int)Math.Min(reader.Number(), MostCoders + 1));
            if (ins is 0 or > MostCoders || outs != 1)
                throw ArchiveException.Damaged("7z: a coder with an impossible number of streams.");
            var properties = (flags & 0x20) != 0 ? reader.Bytes(reader.Number()).ToArray() : [];
            coders[i] = new SevenZipCoder(method, properties, ins);
            inputs += ins;
        }

        var pairs = new Dictionary<long, long>();
        for (var i = 0; i < count - 1; i++)
            pairs[reader.Number()] = reader.Number();
        var packed = inputs - (count - 1);
        if (packed < 1)
            throw ArchiveException.Damaged("7z: a folder without packed bytes.");
        for (var i = 0; packed > 1 && i < packed; i++)
            reader.Number();
        var taken = pairs.Values.ToHashSet();
        var main = Enumerable.Range(0, count).FirstOrDefault(i => !taken.Contains(i), -1);
        if (main < 0)
            throw ArchiveException.Damaged("7z: a folder whose coders form a cycle.");
        var chain = Chain(coders, pairs, main);
        return new SevenZipFolder
        {
            Coders = coders,
            Chain = chain is null ? null : Array.ConvertAll(chain, i => coders[i]),
            ChainIndexes = chain ?? [],
            MainCoder = main,
            PackedStreams = packed,
        };
    }

    /// <summary>
    /// Orders the coders from the one whose output no other uses, along the inputs. Null unless all coders have one input.
    /// </summary>
    private static int[]? Chain(SevenZipCoder[] coders, Dictionary<long, long> pairs, int main)
    {
        if (Array.Exists(coders, coder => coder.InStreams != 1))
            return null;
        var chain = new int[coders.Length];
        long next = main;
        for (var i = 0; i < chain.Length; i++)
        {
            if (next < 0 || next >= coders.Length)
                return null;
            chain[i] = (int)next;
            if (!pairs.TryGetValue(next, out next) && i < chain.Length - 1)
                return null;
        }

        return chain;
    }

    private void Place(long start, List<long> packed)
    {
        var stream = 0;
        foreach (var folder in Folders)
        {
            folder.PackedStart = start;
            for (var i = 0; i < folder.PackedStreams; i++, stream++)
            {
                if (stream >= packed.Count || packed[stream] > long.MaxValue - start)
                    throw ArchiveException.Damaged("7z: the packed streams do not fit the folders.");
                folder.PackedSize += packed[stream];
                start += packed[stream];
            }
        }
    }

    // Without "SubStreamsInfo", each folder is one file.
    private void WholeFolders()
    {
        foreach (var folder in Folders)
            folder.Streams.Add((folder.Size, folder.Crc32));
    }
}

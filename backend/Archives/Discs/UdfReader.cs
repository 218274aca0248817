using System.Buffers.Binary;
using System.Text;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Discs;

/// <summary>
/// Reads UDF 1.02 to 2.60 (ECMA-167 and OSTA's specification), as on DVD and Blu-ray: physical, sparable and metadata partitions. For one
/// reading.
/// </summary>
internal sealed class UdfReader(VolumeJoin image)
{
    private const int SectorSize = 2048;
    private const int Anchor = 256;
    private const int MostDescriptors = 256;

    private readonly List<ArchiveEntry> _entries = [];
    private readonly HashSet<long> _seen = [];
    private UdfVolume _volume = new(image);
    private UdfAddress _fileSet;

    /// <summary>Finds the volume; false if the image has no UDF.</summary>
    /// <exception cref="ArchiveException">There is UDF, but it cannot be read.</exception>
    public async ValueTask<bool> OpenAsync(CancellationToken cancellationToken)
    {
        // ECMA-167, 3/8.4.2.1: anchors are in sector 256, in the last sector, and 256 before that.
        var last = (image.Length / SectorSize) - 1;
        foreach (var sector in (long[])[Anchor, last, last - Anchor])
        {
            var anchor = sector < 0 ? default : await image.ReadAsync(sector * SectorSize, 512, cancellationToken);
            if (anchor.Length < 24 || !UdfTag.Is(anchor.Span, UdfTag.Anchor))
                continue;

            // 3/10.2: extent of the main volume descriptor sequence: length, location.
            var length = BinaryPrimitives.ReadUInt32LittleEndian(anchor.Span[16..]);
            var location = BinaryPrimitives.ReadUInt32LittleEndian(anchor.Span[20..]);
            await ReadSequenceAsync(location, length, cancellationToken);
            return true;
        }

        return false;
    }

    /// <summary>Lists everything on the disc.</summary>
    public async ValueTask<List<ArchiveEntry>> ListAsync(CancellationToken cancellationToken)
    {
        var set = await _volume.ReadAsync(_fileSet, cancellationToken);
        if (!UdfTag.Is(set.Span, UdfTag.FileSet) || set.Length < 416)
            throw ArchiveException.Damaged($"'{image.Name}': the disc image has no file set.");

        // ECMA-167, 4/14.1: the root directory's address.
        var root = await _volume.ReadEntryAsync(UdfAddress.OfLong(set.Span[400..]), cancellationToken);
        await WalkAsync(root, string.Empty, depth: 0, cancellationToken);
        return _entries;
    }

    // 3/8.4.2: partition (5) and logical volume descriptors (6), up to the terminator (8).
    private async ValueTask ReadSequenceAsync(uint location, uint length, CancellationToken cancellationToken)
    {
        var starts = new Dictionary<int, long>();
        byte[]? logical = null;
        for (var i = 0; i < Math.Min(length / SectorSize, MostDescriptors); i++)
        {
            var descriptor = (await image.ReadAsync((location + (long)i) * SectorSize, SectorSize, cancellationToken)).Span;
            if (UdfTag.Is(descriptor, UdfTag.Terminator))
                break;
            if (UdfTag.Is(descriptor, UdfTag.Partition) && descriptor.Length >= 196)
                starts[BinaryPrimitives.ReadUInt16LittleEndian(descriptor[22..])] = BinaryPrimitives.ReadUInt32LittleEndian(
                    descriptor[188..]);
            else if (UdfTag.Is(descriptor, UdfTag.LogicalVolume) && descriptor.Length == SectorSize)
                logical = descriptor.ToArray();
        }

        if (logical is null)
            throw ArchiveException.Damaged($"'{image.Name}': the disc image has no logical volume.");

        // 3/10.6: block size, address of the file set, then the partition maps.
        var blockSize = BinaryPrimitives.ReadUInt32LittleEndian(logical.AsSpan(212));
        if (blockSize is not (512 or 1024 or 2048 or 4096))
            throw ArchiveException.Damaged($"'{image.Name}': the disc image has blocks of {blockSize} bytes.");
        _fileSet = UdfAddress.OfLong(logical.AsSpan(248));
        _volume = new UdfVolume(image) { BlockSize = (int)blockSize };
        await ReadMapsAsync(logical.AsMemory(440), (int)Math.Min(BinaryPrimitives.ReadUInt32LittleEndian(logical.AsSpan(268)), 16), starts,
            cancellationToken);
    }

    // 3/10.7: type 1 refers to a partition; type 2 begins with the name of its type (UDF 2.60, 2.2.8 to 2.2.10).
    private async ValueTask ReadMapsAsync(
        ReadOnlyMemory<byte> maps, int count, Dictionary<int, long> starts, CancellationToken cancellationToken)
    {
        for (var i = 0; i < count; i++)
        {
            if (maps.Length < 6 || maps.Span[1] < 6 || maps.Span[1] > maps.Length)
                throw ArchiveException.Damaged($"'{image.Name}': the disc image has a damaged partition map.");
            var map = maps[..maps.Span[1]];
            maps = maps[map.Length..];
            var typed = map.Span[0] == 2 && map.Length == 64;
            var number = BinaryPrimitives.ReadUInt16LittleEndian(map.Span[(typed ? 38 : 4)..]);
            if (!starts.TryGetValue(number, out var start))
                throw ArchiveException.Damaged($"'{image.Name}': the disc image has no partition {number}.");
            if (!typed || map.Span[5..28].StartsWith("*UDF Sparable Partition"u8))
            {
                _volume.AddPhysical(start);
            }
            else if (map.Span[5..28].StartsWith("*UDF Metadata Partition"u8))
            {
                var physical = _volume.AddPhysical(start);
                var file = await _volume.ReadEntryAsync(
                    new UdfAddress(BinaryPrimitives.ReadUInt32LittleEndian(map.Span[40..]), physical), cancellationToken);
                _volume.ReplaceByMetadata(physical, start, file);
            }
            else
            {
                throw new ArchiveException(ArchiveRefusalReason.Unsupported,
                    $"'{image.Name}': {Encoding.ASCII.GetString(map.Span[5..28]).TrimEnd('\0')} is not supported.");
            }
        }
    }

    private async ValueTask WalkAsync(UdfEntry directory, string path, int depth, CancellationToken cancellationToken)
    {
        if (depth > DiscLimits.MostDepth || directory.Size > DiscLimits.MostDirectory || !_seen.Add(directory.Place))
            throw ArchiveException.Damaged(
                $"'{image.Name}': the directories of the disc image form a loop, are nested too deeply, or are too large.");
        var names = UdfName.ReadAll((await _volume.ReadDataAsync(directory, cancellationToken)).Span);
        foreach (var name in names)
        {
            if (_entries.Count >= DiscLimits.MostEntries)
                throw ArchiveException.Damaged($"'{image.Name}': the disc image has more than {DiscLimits.MostEntries} files.");
            var entry = await _volume.ReadEntryAsync(name.Address, cancellationToken);
            if (entry.IsDirectory)
            {
                _entries.Add(new ArchiveEntry { Path = path + name.Name, Size = 0, IsDirectory = true, Modified = entry.Modified });
                await WalkAsync(entry, path + name.Name + "/", depth + 1, cancellationToken);
            }
            else
            {
                _entries.Add(File(path + name.Name, entry));
            }
        }
    }

    private ArchiveEntry File(string path, UdfEntry entry)
    {
        var file = new ArchiveEntry { Path = path, Size = entry.Size, Modified = entry.Modified };
        if (entry.Size == 0)
            return file;
        return _volume.TryLocate(entry) is { } pieces
            ? file with { Spans = [new ArchiveSpan(pieces, Cipher: null, 0, entry.Size)] }
            : file with
            {
                Refusal = new ArchiveRefusal(
                ArchiveRefusalReason.Damaged, $"'{path}' does not lie completely in the disc image '{image.Name}'.")
            };
    }
}

/// <summary>A name in a directory (file identifier descriptor; ECMA-167, 4/14.4).</summary>
/// <param name="Name">The decoded name.</param>
/// <param name="Address">Address of the file entry.</param>
internal readonly record struct UdfName(string Name, UdfAddress Address)
{
    private const int FixedLength = 38;
    private const int Deleted = 0x04;
    private const int Parent = 0x08;

    /// <summary>Reads all names of a directory, except those of the parent and of deleted files.</summary>
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

    // UDF 2.60, 2.1.1: "OSTA Compressed Unicode": 8 = one byte per character, 16 = two, the high one first.
    private static string Decode(ReadOnlySpan<byte> bytes) => bytes.IsEmpty ? string.Empty : bytes[0] switch
    {
        8 or 254 => Encoding.Latin1.GetString(bytes[1..]),
        16 or 255 => Encoding.BigEndianUnicode.GetString(bytes[1..]),
        _ => throw ArchiveException.Damaged("The disc image has a name in an unknown encoding."),
    };
}

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

    /// <summary>True if the block has this tag and the tag's checksum is right.</summary>
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

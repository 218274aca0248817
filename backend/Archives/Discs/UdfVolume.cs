using System.Buffers.Binary;
using System.Collections.Immutable;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Discs;

/// <summary>Maps addresses of a UDF volume to offsets in the image. For one caller at a time.</summary>
internal sealed class UdfVolume(VolumeJoin image)
{
    private const int MostContinuations = 10_000;

    /// <summary>By index: first block of the partition in the image, and the metadata file if the partition's blocks are in one.</summary>
    private readonly List<(long Start, UdfEntry? Metadata)> _partitions = [];

    public int BlockSize { get; init; } = 2048;

    /// <summary>Adds a partition that is contiguous in the image; returns its index.</summary>
    public int AddPhysical(long start)
    {
        _partitions.Add((start, null));
        return _partitions.Count - 1;
    }

    /// <summary>UDF 2.60, 2.2.13: the blocks of a metadata partition are those of a file.</summary>
    public void ReplaceByMetadata(int index, long start, UdfEntry metadata) => _partitions[index] = (start, metadata);

    /// <summary>Reads a block.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> ReadAsync(UdfAddress address, CancellationToken cancellationToken) =>
        Locate(address, BlockSize) is { } place ? await image.ReadAsync(place, BlockSize, cancellationToken) : default;

    /// <summary>Reads the file entry at an address.</summary>
    public async ValueTask<UdfEntry> ReadEntryAsync(UdfAddress address, CancellationToken cancellationToken)
    {
        var place = Locate(address, BlockSize) ?? throw Damaged();
        var block = (await image.ReadAsync(place, BlockSize, cancellationToken)).ToArray();
        if (block.Length < BlockSize)
            throw Damaged();
        var extended = UdfTag.Is(block, UdfTag.ExtendedFileEntry);
        if (!extended && !UdfTag.Is(block, UdfTag.FileEntry))
            throw Damaged();

        // 4/14.9 and 4/14.17: the ICB tag's file type (4 directory) and flags; information length; modification time; the lengths of the
        // extended attributes and allocation descriptors, which follow.
        var fixedLength = extended ? 216 : 176;
        var attributes = BinaryPrimitives.ReadUInt32LittleEndian(block.AsSpan(fixedLength - 8));
        var length = BinaryPrimitives.ReadUInt32LittleEndian(block.AsSpan(fixedLength - 4));
        var size = BinaryPrimitives.ReadUInt64LittleEndian(block.AsSpan(56));
        if ((long)fixedLength + attributes + length > block.Length || size > long.MaxValue)
            throw Damaged();
        var entry = new UdfEntry
        {
            Place = place,
            Size = (long)size,
            IsDirectory = block[27] == 4,
            Modified = UdfTime.Read(block.AsSpan(extended ? 92 : 84, 12)),
        };
        var begin = fixedLength + (int)attributes;
        var kind = block[34] & 7;
        if (kind == 3)
        {
            if (entry.Size > length)
                throw Damaged();
            entry.Embedded = place + begin;
        }
        else
        {
            await ReadExtentsAsync(entry, block.AsMemory(begin, (int)length), kind, address.Partition, cancellationToken);
        }

        return entry;
    }

    /// <summary>Reads all bytes of a file. The caller limits its size.</summary>
    public async ValueTask<ReadOnlyMemory<byte>> ReadDataAsync(UdfEntry entry, CancellationToken cancellationToken)
    {
        if (entry.Embedded >= 0)
            return await image.ReadAsync(entry.Embedded, (int)entry.Size, cancellationToken);
        var bytes = new List<byte>();
        foreach (var extent in entry.Extents)
        {
            var length = (int)Math.Min(extent.Length, entry.Size - bytes.Count);
            var part = Locate(extent.Address, length) is { } place && extent.IsRecorded
                ? await image.ReadAsync(place, length, cancellationToken) : default;
            if (part.Length < length)
                throw Damaged();
            bytes.AddRange(part.Span);
        }

        return bytes.Count == entry.Size ? bytes.ToArray() : throw Damaged();
    }

    /// <summary>The location of a file's bytes; null if some of them are not in the image.</summary>
    public ImmutableArray<ArchivePiece>? TryLocate(UdfEntry entry)
    {
        if (entry.Embedded >= 0)
            return image.Pieces(entry.Embedded, entry.Size);
        var pieces = ImmutableArray.CreateBuilder<ArchivePiece>();
        var left = entry.Size;
        foreach (var extent in entry.Extents)
        {
            var length = Math.Min(extent.Length, left);
            if (length == 0)
                break;
            if (!extent.IsRecorded || Locate(extent.Address, length) is not { } place || length > image.Length - place)
                return null;
            pieces.AddRange(image.Pieces(place, length));
            left -= length;
        }

        return left == 0 ? pieces.ToImmutable() : null;
    }

    // 4/14.14: short (0), long (1) and extended (2) allocation descriptors. The two highest bits of a length: 0 = recorded, 3 = address of
    // further descriptors.
    private async ValueTask ReadExtentsAsync(
        UdfEntry entry, ReadOnlyMemory<byte> descriptors, int kind, int partition, CancellationToken cancellationToken)
    {
        var step = kind switch { 0 => 8, 1 => 16, 2 => 20, _ => throw Damaged() };
        for (var more = 0; more < MostContinuations; more++)
        {
            UdfAddress? next = null;
            for (; descriptors.Length >= step && next is null; descriptors = descriptors[step..])
            {
                var raw = BinaryPrimitives.ReadUInt32LittleEndian(descriptors.Span);
                var (type, length) = (raw >> 30, raw & 0x3FFFFFFF);
                var address = kind switch
                {
                    0 => new UdfAddress(BinaryPrimitives.ReadUInt32LittleEndian(descriptors.Span[4..]), partition),
                    1 => UdfAddress.OfLong(descriptors.Span),
                    _ => UdfAddress.OfLong(descriptors.Span[8..]),
                };
                if (length == 0)
                    return;
                if (type == 3)
                    next = address;
                else
                    entry.Extents.Add(new UdfExtent(address, length, type == 0));
                if (entry.Extents.Count > DiscLimits.MostExtents)
                    throw Damaged();
            }

            if (next is null)
                return;

            // 4/14.5: tag, previous extent, length of the descriptors that follow.
            var block = await ReadAsync(next.Value, cancellationToken);
            if (block.Length < 24 || !UdfTag.Is(block.Span, UdfTag.AllocationExtent))
                throw Damaged();
            var count = BinaryPrimitives.ReadUInt32LittleEndian(block.Span[20..]);
            if (count > block.Length - 24)
                throw Damaged();
            descriptors = block.Slice(24, (int)count).ToArray();
        }

        throw Damaged();
    }

    /// <summary>Offset in the image; null if there is no such block, or if the bytes are not contiguous.</summary>
    private long? Locate(UdfAddress address, long length)
    {
        if ((uint)address.Partition >= (uint)_partitions.Count)
            return null;
        var (start, metadata) = _partitions[address.Partition];
        if (metadata is null)
            return InImage((start + address.Block) * BlockSize);
        var offset = (long)address.Block * BlockSize;
        foreach (var extent in metadata.Extents)
        {
            if (offset < extent.Length)
                return extent.IsRecorded && length <= extent.Length - offset
                    ? InImage(((start + extent.Address.Block) * BlockSize) + offset) : null;
            offset -= extent.Length;
        }

        return null;
    }

    private long? InImage(long place) => place >= 0 && place < image.Length ? place : null;

    private ArchiveException Damaged() => ArchiveException.Damaged($"'{image.Name}': the disc image's UDF is damaged.");
}

/// <summary>A file entry (ECMA-167, 4/14.9 and 4/14.17).</summary>
internal sealed class UdfEntry
{
    /// <summary>Offset of its descriptor in the image.</summary>
    public required long Place { get; init; }

    public required long Size { get; init; }

    public bool IsDirectory { get; init; }

    public DateTimeOffset? Modified { get; init; }

    /// <summary>Location of the data, unless <see cref="Embedded"/>.</summary>
    public List<UdfExtent> Extents { get; } = [];

    /// <summary>Offset in the image of data that is stored in the descriptor itself; −1 if the data is elsewhere.</summary>
    public long Embedded { get; set; } = -1;
}

/// <summary>An extent of a file.</summary>
/// <param name="Address">Its first block.</param>
/// <param name="Length">In bytes.</param>
/// <param name="IsRecorded">False for a hole, which reads as zeros.</param>
internal readonly record struct UdfExtent(UdfAddress Address, long Length, bool IsRecorded);

/// <summary>A block of a partition.</summary>
/// <param name="Block">Logical block number.</param>
/// <param name="Partition">Index into the partition maps.</param>
internal readonly record struct UdfAddress(uint Block, int Partition)
{
    /// <summary>Parses a "long_ad" (ECMA-167, 4/14.14.2): length, block, partition.</summary>
    public static UdfAddress OfLong(ReadOnlySpan<byte> bytes) =>
        new(BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]), BinaryPrimitives.ReadUInt16LittleEndian(bytes[8..]));
}

/// <summary>Timestamps (ECMA-167, 1/7.3).</summary>
internal static class UdfTime
{
    /// <summary>"No zone specified."</summary>
    private const int NoZone = -2047;

    /// <summary>Reads a timestamp; null if it is not a valid date.</summary>
    public static DateTimeOffset? Read(ReadOnlySpan<byte> bytes)
    {
        // The low 12 bits: minutes from Greenwich, signed.
        var zone = (BinaryPrimitives.ReadInt16LittleEndian(bytes) << 20) >> 20;
        int year = BinaryPrimitives.ReadInt16LittleEndian(bytes[2..]), month = bytes[4], day = bytes[5];
        if (year is < 2 or > 9998 || month is < 1 or > 12 || day < 1 || day > DateTime.DaysInMonth(year, month) || bytes[6] > 23
            || bytes[7] > 59 || bytes[8] > 59)
            return null;
        var time = new DateTimeOffset(year, month, day, bytes[6], bytes[7], bytes[8], TimeSpan.Zero);
        return zone is NoZone or < -1440 or > 1440 ? time : time.AddMinutes(-zone);
    }
}

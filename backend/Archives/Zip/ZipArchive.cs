using System.Buffers.Binary;
using System.Globalization;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Zip;

/// <summary>
/// One ZIP archive, in one file or in several (APPNOTE.TXT 6.3.10, section 8). Its directory is at its end. Used for one reading.
/// </summary>
/// <param name="join">The file, or the parts in order.</param>
internal sealed class ZipArchive(VolumeJoin join)
{
    private const int EndLength = 22;
    private const int LocatorLength = 20;
    private const int LargeEndLength = 56;
    private const int LocalLength = 30;

    /// <summary>Longest comment, which follows the end record.</summary>
    private const int MostComment = ushort.MaxValue;

    /// <summary>Longest directory in bytes, as for disc images: enough for about 200,000 names.</summary>
    private const int MostDirectory = 16 << 20;

    /// <summary>Most files and folders, as for disc images.</summary>
    private const int MostEntries = 200_000;

    /// <summary>Most stored files: the header of each one is read, which may cost an article each.</summary>
    private const int MostStored = 5_000;

    /// <summary>
    /// True for the first bytes of a ZIP that programs read as one file (EPUB, Office, Java, Android), judged by the name of its first
    /// entry.
    /// </summary>
    public static bool IsDocument(ReadOnlySpan<byte> head)
    {
        head = head[..Math.Min(head.Length, 64)];
        return head.IndexOf("mimetype"u8) >= 0 || head.IndexOf("[Content_Types].xml"u8) >= 0 || head.IndexOf("META-INF/"u8) >= 0;
    }

    /// <summary>Reads the archive's layout; null if it has no end record.</summary>
    /// <exception cref="ArchiveException">It cannot be interpreted.</exception>
    /// <exception cref="Content.ContentException">Its directory cannot be fetched.</exception>
    public async ValueTask<ArchiveLayout?> ReadAsync(ArchiveLayout layout, CancellationToken cancellationToken)
    {
        if (await FindEndAsync(cancellationToken) is not { } end)
            return null;
        if (end.Length > MostDirectory || end.Entries > MostEntries)
            throw new ArchiveException(ArchiveRefusalReason.Unsupported, $"ZIP: a directory of {end.Entries} files is refused.");
        if (end.Start < 0 || end.Start > join.Length - end.Length)
            throw ArchiveException.Damaged($"'{join.Name}': the ZIP directory lies outside the archive.");
        var files = ZipDirectory.Parse((await join.ReadAsync(end.Start, (int)end.Length, cancellationToken)).Span, end.Entries);
        if (files.Count(static file => file.Refusal is null && file.Size > 0) > MostStored)
            throw new ArchiveException(ArchiveRefusalReason.Unsupported, $"ZIP: more than {MostStored} stored files are refused.");
        var entries = new ArchiveEntry[files.Count];
        for (var i = 0; i < entries.Length; i++)
            entries[i] = await EntryAsync(files[i], end.Start, cancellationToken);
        return layout with { Entries = [.. entries] };
    }

    private async ValueTask<ArchiveEntry> EntryAsync(ZipFile file, long directory, CancellationToken cancellationToken)
    {
        var entry = new ArchiveEntry
        {
            Path = file.Path,
            Size = file.IsDirectory ? 0 : file.Size,
            IsDirectory = file.IsDirectory,
            Modified = file.Modified,
            Crc32 = file.IsDirectory ? null : file.Crc32,
            Refusal = file.Refusal,
        };
        if (file.Refusal is not null || entry.Size == 0)
            return entry;

        // The extra field of the local header may differ in length from that in the directory, so only the local header shows where the
        // bytes begin.
        if (Place(file.Disk, file.Offset) is not { } at)
            return entry with { Refusal = Outside(file) };
        var local = await join.ReadAsync(at, LocalLength, cancellationToken);
        if (local.Length < LocalLength || BinaryPrimitives.ReadUInt32LittleEndian(local.Span) != 0x04034B50)
            return entry with { Refusal = Outside(file) };
        var start = at + LocalLength + U16(local.Span, 26) + U16(local.Span, 28);
        return start > directory - file.Size
            ? entry with { Refusal = Outside(file) }
            : entry with { Spans = [new ArchiveSpan(join.Pieces(start, file.Size), Cipher: null, 0, file.Size)] };
    }

    private static ArchiveRefusal Outside(ZipFile file) =>
        new(ArchiveRefusalReason.Damaged, $"ZIP: '{file.Path}' lies outside the archive.");

    private static int U16(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt16LittleEndian(bytes[at..]);

    private static long U32(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadUInt32LittleEndian(bytes[at..]);

    private static long U64(ReadOnlySpan<byte> bytes, int at) => BinaryPrimitives.ReadInt64LittleEndian(bytes[at..]);

    /// <summary>"relative offset … from the start of the first disk on which this file appears". Null if there is no such offset.</summary>
    private long? Place(long disk, long offset) =>
        disk >= 0 && disk < join.Count && join.StartOf((int)disk) is var start && offset >= 0 && offset <= join.Length - start
            ? start + offset
            : null;

    private async ValueTask<(long Start, long Length, long Entries)?> FindEndAsync(CancellationToken cancellationToken)
    {
        // Nearly always there is no comment.
        var count = EndLength + LocatorLength;
        while (true)
        {
            var from = Math.Max(0, join.Length - count);
            var tail = (await join.ReadAsync(from, (int)(join.Length - from), cancellationToken)).ToArray();
            for (var at = tail.Length - EndLength; at >= 0; at--)
            {
                // The comment must end where the archive does.
                if (U32(tail, at) == 0x06054B50 && at + EndLength + U16(tail, at + 20) == tail.Length)
                    return await EndAsync(from + at, tail.AsMemory(at, EndLength), cancellationToken);
            }

            if (count > EndLength + LocatorLength || from == 0)
                return null;
            count = EndLength + MostComment;
        }
    }

    private async ValueTask<(long Start, long Length, long Entries)?> EndAsync(
        long at, ReadOnlyMemory<byte> end, CancellationToken cancellationToken)
    {
        long disks = U16(end.Span, 4) + 1;
        long disk = U16(end.Span, 6);
        long entries = U16(end.Span, 10);
        var length = U32(end.Span, 12);
        var offset = U32(end.Span, 16);
        if (entries == ushort.MaxValue || length == uint.MaxValue || offset == uint.MaxValue || disk == ushort.MaxValue)
        {
            // "Zip64 end of central directory locator": disk of the record, its offset there, number of disks.
            var locator = at < LocatorLength
                ? [] : (await join.ReadAsync(at - LocatorLength, LocatorLength, cancellationToken)).ToArray();
            if (locator.Length == LocatorLength && U32(locator, 0) == 0x07064B50)
            {
                disks = U32(locator, 16);
                var large = Place(U32(locator, 4), U64(locator, 8)) is { } place
                    ? (await join.ReadAsync(place, LargeEndLength, cancellationToken)).ToArray()
                    : [];
                if (large.Length < LargeEndLength || U32(large, 0) != 0x06064B50)
                    throw MissingVolumes(disks);
                (disk, entries, length, offset) = (U32(large, 20), U64(large, 32), U64(large, 40), U64(large, 48));
            }
        }

        if (disks > join.Count)
            throw MissingVolumes(disks);
        if (entries < 0 || length < 0)
            throw ArchiveException.Damaged($"'{join.Name}': the ZIP end record is damaged.");
        return Place(disk, offset) is { } start
            ? (start, length, entries)
            : throw ArchiveException.Damaged($"'{join.Name}': the ZIP directory lies outside the archive.");
    }

    private ArchiveException MissingVolumes(long disks) => new(
        ArchiveRefusalReason.MissingVolumes,
        string.Create(
            CultureInfo.InvariantCulture,
            $"ZIP volumes missing: the archive of '{join.Name}' has {disks} parts, of which {join.Count} are here."));
}

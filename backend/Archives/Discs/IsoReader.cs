using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Text;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Discs;

/// <summary>Reads ISO 9660 (ECMA-119), with the names of Rock Ridge (IEEE P1282) or, failing that, Joliet. Used for one image.</summary>
internal sealed class IsoReader(VolumeJoin image)
{
    private const int SectorSize = 2048;
    private const int FirstDescriptor = 16;
    private const int MostDescriptors = 64;
    private readonly List<ArchiveEntry> _entries = [];
    private readonly HashSet<long> _seen = [];
    private int _blockSize = SectorSize;
    private bool _joliet;

    /// <summary>Lists everything on the disc.</summary>
    /// <exception cref="ArchiveException">The image is inconsistent.</exception>
    public async ValueTask<List<ArchiveEntry>> ListAsync(CancellationToken cancellationToken)
    {
        var (primary, joliet) = await FindRootsAsync(cancellationToken);
        var root = primary ?? throw ArchiveException.Damaged($"'{image.Name}': the disc image has no primary volume descriptor.");

        // The first record of the root directory shows whether there are Rock Ridge names.
        if (joliet is not null && !await HasRockRidgeAsync(root, cancellationToken))
            (root, _joliet) = (joliet, true);
        await WalkAsync(root, string.Empty, depth: 0, cancellationToken);
        return _entries;
    }

    // ECMA-119, 8: volume descriptors, one per sector, up to the terminator (255). 1 is the primary one, 2 a supplementary one, which is
    // Joliet if its escape sequences name UCS-2 (Joliet specification, 3.1).
    private async ValueTask<(IsoRecord? Primary, IsoRecord? Joliet)> FindRootsAsync(CancellationToken cancellationToken)
    {
        IsoRecord? primary = null, joliet = null;
        for (var i = 0; i < MostDescriptors; i++)
        {
            var descriptor = (await image.ReadAsync((FirstDescriptor + i) * (long)SectorSize, SectorSize, cancellationToken)).Span;
            if (descriptor.Length < SectorSize || !descriptor[1..6].SequenceEqual("CD001"u8) || descriptor[0] == 255)
                break;
            if (descriptor[0] == 1 && primary is null)
            {
                // 8.4.12 logical block size; 8.4.18 directory record for the root.
                _blockSize = BinaryPrimitives.ReadUInt16LittleEndian(descriptor[128..]);
                if (_blockSize is not (512 or 1024 or 2048))
                    throw ArchiveException.Damaged($"'{image.Name}': the disc image has blocks of {_blockSize} bytes.");
                primary = IsoRecord.Parse(descriptor.Slice(156, 34));
            }
            else if (descriptor[0] == 2 && descriptor[88] == '%' && descriptor[89] == '/'
                && descriptor[90] is (byte)'@' or (byte)'C' or (byte)'E')
            {
                joliet ??= IsoRecord.Parse(descriptor.Slice(156, 34));
            }
        }

        return (primary, joliet);
    }

    private async ValueTask<bool> HasRockRidgeAsync(IsoRecord root, CancellationToken cancellationToken)
    {
        var sector = (await image.ReadAsync(root.Block * _blockSize, SectorSize, cancellationToken)).Span;
        if (sector.Length < 34 || IsoRecord.Parse(sector) is not { } own)
            return false;

        // IEEE P1281, 5.3: "SP" with the check bytes BE EF begins the system use area of the root's own record.
        return own.SystemUse.Length >= 7 && own.SystemUse.AsSpan(0, 2).SequenceEqual("SP"u8) && own.SystemUse[4] == 0xBE
            && own.SystemUse[5] == 0xEF;
    }

    private async ValueTask WalkAsync(IsoRecord directory, string path, int depth, CancellationToken cancellationToken)
    {
        if (depth > DiscLimits.MostDepth || directory.Length > DiscLimits.MostDirectory || !_seen.Add(directory.Block))
            throw ArchiveException.Damaged(
                $"'{image.Name}': the directories of the disc image form a loop, are nested too deeply, or are too large.");
        var records = Records((await image.ReadAsync(directory.Block * _blockSize, (int)directory.Length, cancellationToken)).Span);
        for (var i = 0; i < records.Count; i++)
        {
            var record = records[i];
            var name = path + await NameAsync(record, cancellationToken);
            if (_entries.Count >= DiscLimits.MostEntries)
                throw ArchiveException.Damaged($"'{image.Name}': the disc image has more than {DiscLimits.MostEntries} files.");
            if (record.IsDirectory)
            {
                _entries.Add(new ArchiveEntry { Path = name, Size = 0, IsDirectory = true, Modified = record.Modified });
                await WalkAsync(record, name + "/", depth + 1, cancellationToken);
                continue;
            }

            // 6.5.1: a file of several sections has a record for each. All but the last have the multi-extent flag.
            var pieces = ImmutableArray.CreateBuilder<ArchivePiece>();
            long size = 0;
            var outside = false;
            for (; ; i++)
            {
                outside |= !TryAdd(records[i], pieces);
                size += records[i].Length;
                if (!records[i].IsMultiExtent || i + 1 == records.Count)
                    break;
            }

            _entries.Add(Entry(name, size, record.Modified, pieces.ToImmutable(), outside));
        }
    }

    private bool TryAdd(IsoRecord record, ImmutableArray<ArchivePiece>.Builder pieces)
    {
        var start = record.Block * _blockSize;
        if (start > image.Length || record.Length > image.Length - start)
            return false;
        pieces.AddRange(image.Pieces(start, record.Length));
        return true;
    }

    private ArchiveEntry Entry(string path, long size, DateTimeOffset? modified, ImmutableArray<ArchivePiece> pieces, bool outside)
    {
        var entry = new ArchiveEntry { Path = path, Size = size, Modified = modified };
        if (outside)
            return entry with
            {
                Refusal = new ArchiveRefusal(
                ArchiveRefusalReason.Damaged, $"'{path}' lies outside the disc image '{image.Name}'.")
            };
        return size == 0 ? entry : entry with { Spans = [new ArchiveSpan(pieces, Cipher: null, 0, size)] };
    }

    // 6.8.1: records do not cross sectors; the rest of a sector is zeros. The first two are the directory itself and its parent.
    private static List<IsoRecord> Records(ReadOnlySpan<byte> directory)
    {
        var records = new List<IsoRecord>();
        for (var at = 0; at < directory.Length;)
        {
            int length = directory[at];
            if (length == 0)
            {
                at = ((at / SectorSize) + 1) * SectorSize;
                continue;
            }

            if (at + length > directory.Length || IsoRecord.Parse(directory.Slice(at, length)) is not { } record)
                throw ArchiveException.Damaged("The disc image has a damaged directory.");
            if (record.Name is not ([0] or [1]))
                records.Add(record);
            at += length;
        }

        return records;
    }

    private async ValueTask<string> NameAsync(IsoRecord record, CancellationToken cancellationToken)
    {
        if (_joliet)
            return WithoutVersion(Encoding.BigEndianUnicode.GetString(record.Name));
        var rock = new RockRidgeName();
        var area = record.SystemUse.AsMemory();

        // P1281, 5.1: "CE" gives the continuation area. Followed a limited number of times.
        for (var hops = 0; hops < 8; hops++)
        {
            if (rock.Read(area.Span) is not var (block, offset, length) || length > SectorSize)
                break;
            area = (await image.ReadAsync((block * _blockSize) + offset, length, cancellationToken)).ToArray();
        }

        return rock.Name ?? WithoutVersion(Encoding.UTF8.GetString(record.Name));
    }

    // 7.5: NAME.EXT;1. The dot is present even without an extension.
    private static string WithoutVersion(string name)
    {
        var semicolon = name.LastIndexOf(';');
        var bare = semicolon > 0 ? name[..semicolon] : name;
        return bare.Length > 1 && bare.EndsWith('.') ? bare[..^1] : bare;
    }
}

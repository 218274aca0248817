using System.Text;

namespace NzbDav.Fakes.Archives;

/// <summary>Writes ZIP archives, stored. Proved against 7z and bsdtar.</summary>
public sealed class ZipWriter
{
    private readonly List<ArchiveBytes> _disks = [];

    /// <summary>Bytes of each part but the last; null for one file.</summary>
    public int? VolumeSize { get; init; }

    /// <summary>
    /// The parts are disks with headers that name them (<c>x.z01, …, x.zip</c>); otherwise the file is only cut (<c>x.zip.001</c>).
    /// </summary>
    public bool IsSpanned { get; init; }

    /// <summary>Sizes and checksums follow the files, as programs write it that cannot go back.</summary>
    public bool HasDescriptors { get; init; }

    /// <summary>Sizes and offsets of 64 bits.</summary>
    public bool IsLarge { get; init; }

    /// <summary>Claims to be encrypted. No program unpacks it.</summary>
    public bool IsEncrypted { get; init; }

    public string Comment { get; init; } = "";

    /// <summary>The parts in order.</summary>
    public IReadOnlyList<byte[]> Write(params IReadOnlyList<PackedFile> files)
    {
        _disks.Clear();
        _disks.Add(new ArchiveBytes());
        if (IsSpanned)
            Whole(new ArchiveBytes().U32(0x08074B50).ToArray());
        var places = files.Select(Add).ToArray();
        var entries = files.Select((file, i) => Entry(file, places[i].Disk, places[i].Offset)).ToArray();
        (int Disk, int Offset)? start = null;
        foreach (var entry in entries)
            start = Whole(entry) is var place && start is null ? place : start;
        End(entries.Length, entries.Sum(static entry => entry.Length), start ?? Here());
        byte[][] disks = [.. _disks.Select(static disk => disk.ToArray())];
        return IsSpanned || VolumeSize is not { } size ? disks : [.. disks[0].Chunk(size)];
    }

    private (int Disk, int Offset) Add(PackedFile file)
    {
        var bytes = file.Bytes ?? [];
        var name = Name(file);
        var isLater = HasDescriptors && bytes.Length > 0;
        var header = new ArchiveBytes().U32(0x04034B50).U16(IsLarge ? 45 : 20);
        Common(header, file).U32(isLater ? 0 : ArchiveBytes.Crc32(bytes));
        var size = isLater ? 0 : Narrow(bytes.Length);
        header.U32(size).U32(size).U16(name.Length);

        // Longer than the one in the directory, as Info-ZIP writes it.
        var extra = new ArchiveBytes().U16(0x5455).U16(9).U8(3).U32((uint)file.Modified.ToUnixTimeSeconds()).U32(0);
        if (IsLarge && !isLater)
            extra.U16(1).U16(16).U64((ulong)bytes.Length).U64((ulong)bytes.Length);
        var place = Whole(header.U16(extra.Length).Add(name).Add(extra.ToArray()).ToArray());
        for (var at = 0; at < bytes.Length;)
        {
            var count = IsSpanned ? Math.Min(bytes.Length - at, VolumeSize!.Value - _disks[^1].Length) : bytes.Length;
            _disks[^1].Add(bytes.AsSpan(at, count));
            at += count;
            if (at < bytes.Length)
                _disks.Add(new ArchiveBytes());
        }

        if (isLater)
        {
            var descriptor = new ArchiveBytes().U32(0x08074B50).U32(ArchiveBytes.Crc32(bytes));
            Whole(descriptor.U32((uint)bytes.Length).U32((uint)bytes.Length).ToArray());
        }

        return place;
    }

    private byte[] Entry(PackedFile file, int disk, int offset)
    {
        var bytes = file.Bytes ?? [];
        var name = Name(file);
        var entry = new ArchiveBytes().U32(0x02014B50).U16(0x031E).U16(IsLarge ? 45 : 20);
        Common(entry, file).U32(ArchiveBytes.Crc32(bytes)).U32(Narrow(bytes.Length)).U32(Narrow(bytes.Length));
        entry.U16(name.Length).U16(IsLarge ? 28 : 0).U16(0).U16(disk).U16(0).U32(file.Bytes is null ? 0x41ED0010u : 0x81A40000u);
        entry.U32(Narrow(offset)).Add(name);
        if (IsLarge)
            entry.U16(1).U16(24).U64((ulong)bytes.Length).U64((ulong)bytes.Length).U64((ulong)offset);
        return entry.ToArray();
    }

    private void End(int count, int length, (int Disk, int Offset) start)
    {
        if (IsLarge)
        {
            var large = new ArchiveBytes().U32(0x06064B50).U64(44).U16(0x031E).U16(45).U32((uint)_disks.Count - 1).U32((uint)start.Disk);
            var place = Whole(large.U64((ulong)count).U64((ulong)count).U64((ulong)length).U64((ulong)start.Offset).ToArray());
            Whole(new ArchiveBytes().U32(0x07064B50).U32((uint)place.Disk).U64((ulong)place.Offset).U32((uint)_disks.Count).ToArray());
        }

        var comment = Encoding.UTF8.GetBytes(Comment);
        var said = IsLarge ? ushort.MaxValue : count;
        var end = new ArchiveBytes().U32(0x06054B50).U16(_disks.Count - 1).U16(start.Disk).U16(said).U16(said);
        Whole(end.U32(Narrow(length)).U32(Narrow(start.Offset)).U16(comment.Length).Add(comment).ToArray());
    }

    /// <summary>A number of 32 bits; all ones if one of 64 bits stands elsewhere.</summary>
    private uint Narrow(int value) => IsLarge ? uint.MaxValue : (uint)value;

    // Flags, method, time.
    private ArchiveBytes Common(ArchiveBytes bytes, PackedFile file)
    {
        var time = file.Modified.UtcDateTime;
        var isLater = HasDescriptors && file.Bytes is { Length: > 0 };
        return bytes.U16((1 << 11) | (isLater ? 1 << 3 : 0) | (IsEncrypted ? 1 : 0)).U16(file.Method == 0 ? 0 : 8)
            .U16((time.Hour << 11) | (time.Minute << 5) | (time.Second / 2)).U16(((time.Year - 1980) << 9) | (time.Month << 5) | time.Day);
    }

    private static byte[] Name(PackedFile file) => Encoding.UTF8.GetBytes(file.Path + (file.Bytes is null ? "/" : ""));

    private (int Disk, int Offset) Here() => (_disks.Count - 1, _disks[^1].Length);

    /// <summary>Adds a header, which lies in one part.</summary>
    private (int Disk, int Offset) Whole(byte[] header)
    {
        if (IsSpanned && _disks[^1].Length + header.Length > VolumeSize)
            _disks.Add(new ArchiveBytes());
        var place = Here();
        _disks[^1].Add(header);
        return place;
    }
}

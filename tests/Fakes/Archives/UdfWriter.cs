using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Fakes.Archives;

/// <summary>
/// Writes UDF 2.50 images as on Blu-ray: a metadata partition, small files inside their entries, big ones in two runs. Proved against
/// libudfread.
/// </summary>
public sealed class UdfWriter
{
    private const int Block = 2048;
    private const int PartitionStart = 257;

    /// <summary>Longer files do not lie in their entry.</summary>
    private const int MostEmbedded = 1024;

    /// <summary>
    /// The metadata partition's blocks lie in two places (UDF 2.50, 2.2.13: its file may have any number of extents). libudfread 1.1 takes
    /// the first extent for the whole, so it cannot read such an image when a needed block lies in the second.
    /// </summary>
    public bool Fragmented { get; init; }

    private readonly List<byte[]> _metadata = [];
    private readonly List<byte[]> _data = [];

    /// <summary>The image. Folders are made as paths need them.</summary>
    public byte[] Write(params IReadOnlyList<PackedFile> files)
    {
        _metadata.Clear();
        _data.Clear();
        _metadata.Add(new byte[Block]);
        var root = Directory(files, string.Empty, isRoot: true);
        if (_metadata.Count % 2 != 0)
            _metadata.Add(new byte[Block]);
        _metadata[0] = FileSet(root);

        // Physical blocks: the metadata file's entry, the metadata or half of it, the data, the other half.
        var (front, back) = (Front, _metadata.Count - Front);
        byte[] extents = back == 0 ? Short(front, 1) : [.. Short(front, 1), .. Short(back, 1 + front + _data.Count)];
        var first = Entry(250, _metadata.Count * Block, extents, 0, DateTimeOffset.UnixEpoch, at: 0);
        byte[][] partition = [first, .. _metadata.Take(front), .. _data, .. _metadata.Skip(front)];
        for (var i = 0; i < _metadata.Count; i++)
            Seal(_metadata[i]);
        Seal(first);
        var image = new byte[(PartitionStart + partition.Length) * Block];
        for (var i = 0; i < partition.Length; i++)
            partition[i].CopyTo(image, (PartitionStart + i) * Block);
        Recognition(image);
        VolumeDescriptors(image, partition.Length);
        return image;
    }

    /// <summary>Where data are put: the data are added before the metadata is placed, so their first block is known only then.</summary>
    private int DataBlock(int index) => 1 + Front + index;

    /// <summary>Blocks of metadata in front of the data.</summary>
    private int Front => Fragmented ? _metadata.Count / 2 : _metadata.Count;

    private int Directory(IReadOnlyList<PackedFile> files, string prefix, bool isRoot)
    {
        var at = _metadata.Count;
        _metadata.Add([]);
        var names = new List<(string Name, int At, bool IsDirectory)>();
        foreach (var group in files.Where(file => file.Path.StartsWith(prefix, StringComparison.Ordinal))
            .GroupBy(file => file.Path[prefix.Length..].Split('/')[0], StringComparer.Ordinal))
        {
            var only = group.First();
            var isFile = only.Bytes is not null && only.Path == prefix + group.Key;
            names.Add((group.Key, isFile ? File(only) : Directory(files, prefix + group.Key + "/", isRoot: false), !isFile));
        }

        var bytes = new List<byte>(Identifier(string.Empty, at, 0x0A));
        foreach (var (name, child, isDirectory) in names.Where(name => name.Name.Length > 0))
            bytes.AddRange(Identifier(name, child, isDirectory ? 2 : 0));

        // In the entry itself, as most directories of discs are.
        _metadata[at] = Entry(4, bytes.Count, [.. bytes], 3, DateTimeOffset.UnixEpoch, at);
        return at;
    }

    private int File(PackedFile file)
    {
        var at = _metadata.Count;
        _metadata.Add([]);
        var bytes = file.Bytes!;
        if (bytes.Length <= MostEmbedded)
        {
            _metadata[at] = Entry(5, bytes.Length, bytes, 3, file.Modified, at);
            return at;
        }

        // Two runs, the second in front of the first; block numbers are mended when the metadata is complete.
        var blocks = bytes.Chunk(Block).Select(chunk => chunk.Length == Block ? chunk : [.. chunk, .. new byte[Block - chunk.Length]])
            .ToArray();
        var cut = blocks.Length / 2;
        var second = _data.Count;
        _data.AddRange(blocks.Skip(cut));
        var first = _data.Count;
        _data.AddRange(blocks.Take(cut));
        var runs = cut == 0 ? Long(bytes.Length, second) : [.. Long(cut * Block, first), .. Long(bytes.Length - (cut * Block), second)];
        _metadata[at] = Entry(5, bytes.Length, runs, 1, file.Modified, at);
        return at;
    }

    private static byte[] Entry(int type, long size, byte[] allocation, int kind, DateTimeOffset modified, int at)
    {
        var block = new byte[Block];
        Tag(block, 266, at);
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(20), 4);
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(24), 1);
        block[27] = (byte)type;
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(34), (ushort)kind);
        BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(44), 0x14A5);
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(48), 1);
        BinaryPrimitives.WriteInt64LittleEndian(block.AsSpan(56), size);
        BinaryPrimitives.WriteInt64LittleEndian(block.AsSpan(64), size);
        BinaryPrimitives.WriteInt64LittleEndian(block.AsSpan(72), kind == 3 ? 0 : (size + Block - 1) / Block);
        foreach (var offset in (int[])[80, 92, 104, 116])
            Time(block.AsSpan(offset), modified);
        BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(128), 1);
        BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(212), (uint)allocation.Length);
        allocation.CopyTo(block, 216);
        return block;
    }

    private static byte[] Identifier(string name, int at, int characteristics)
    {
        byte[] coded = name.Length == 0
            ? [] : name.All(c => c < 256) ? [8, .. Encoding.Latin1.GetBytes(name)] : [16, .. Encoding.BigEndianUnicode.GetBytes(name)];
        var bytes = new byte[(38 + coded.Length + 3) / 4 * 4];
        Tag(bytes, 257, at);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(16), 1);
        bytes[18] = (byte)characteristics;
        bytes[19] = (byte)coded.Length;
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(20), Block);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(24), (uint)at);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(28), 1);
        coded.CopyTo(bytes, 38);
        Crc(bytes, bytes.Length);
        return bytes;
    }

    private static byte[] FileSet(int root)
    {
        var block = new byte[Block];
        Tag(block, 256, 0);
        Time(block.AsSpan(16), DateTimeOffset.UnixEpoch);
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(28), 3);
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(30), 3);
        BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(400), Block);
        BinaryPrimitives.WriteUInt32LittleEndian(block.AsSpan(404), (uint)root);
        BinaryPrimitives.WriteUInt16LittleEndian(block.AsSpan(408), 1);
        Encoding.ASCII.GetBytes("\0*OSTA UDF Compliant").CopyTo(block, 416);
        return block;
    }

    private static byte[] Short(int blocks, int at)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, (uint)(blocks * Block));
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), (uint)at);
        return bytes;
    }

    // The block is the index of the data; Seal makes it a block of the partition.
    private static byte[] Long(int length, int dataIndex)
    {
        var bytes = new byte[16];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, (uint)length);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(4), (uint)dataIndex);
        return bytes;
    }

    private void Seal(byte[] block)
    {
        if (BinaryPrimitives.ReadUInt16LittleEndian(block) == 266 && block[34] == 1)
        {
            var length = BinaryPrimitives.ReadInt32LittleEndian(block.AsSpan(212));
            for (var at = 216; at < 216 + length; at += 16)
                BinaryPrimitives.WriteInt32LittleEndian(
                    block.AsSpan(at + 4), DataBlock(BinaryPrimitives.ReadInt32LittleEndian(block.AsSpan(at + 4))));
        }

        if (block[0] != 0 || block[1] != 0)
            Crc(block, block.Length);
    }

    private static void Recognition(byte[] image)
    {
        foreach (var (sector, name) in ((int, string)[])[(16, "BEA01"), (17, "NSR03"), (18, "TEA01")])
        {
            Encoding.ASCII.GetBytes(name).CopyTo(image, (sector * Block) + 1);
            image[(sector * Block) + 6] = 1;
        }
    }

    private static void VolumeDescriptors(byte[] image, int blocks)
    {
        var partition = image.AsSpan(32 * Block, Block);
        Tag(partition, 5, 32);
        BinaryPrimitives.WriteUInt16LittleEndian(partition[20..], 1);
        Encoding.ASCII.GetBytes("\0+NSR03").CopyTo(partition[24..]);
        BinaryPrimitives.WriteUInt32LittleEndian(partition[184..], 1);
        BinaryPrimitives.WriteUInt32LittleEndian(partition[188..], PartitionStart);
        BinaryPrimitives.WriteUInt32LittleEndian(partition[192..], (uint)blocks);
        Crc(partition, Block);

        var logical = image.AsSpan(33 * Block, Block);
        Tag(logical, 6, 33);
        BinaryPrimitives.WriteUInt32LittleEndian(logical[212..], Block);
        Encoding.ASCII.GetBytes("\0*OSTA UDF Compliant").CopyTo(logical[216..]);
        BinaryPrimitives.WriteUInt16LittleEndian(logical[240..], 0x0250);
        BinaryPrimitives.WriteUInt32LittleEndian(logical[248..], Block);
        BinaryPrimitives.WriteUInt16LittleEndian(logical[256..], 1);
        BinaryPrimitives.WriteUInt32LittleEndian(logical[264..], 6 + 64);
        BinaryPrimitives.WriteUInt32LittleEndian(logical[268..], 2);
        ((ReadOnlySpan<byte>)[1, 6, 1, 0, 0, 0]).CopyTo(logical[440..]);
        var map = logical.Slice(446, 64);
        map[0] = 2;
        map[1] = 64;
        Encoding.ASCII.GetBytes("\0*UDF Metadata Partition").CopyTo(map[4..]);
        BinaryPrimitives.WriteUInt16LittleEndian(map[28..], 0x0250);
        BinaryPrimitives.WriteUInt16LittleEndian(map[36..], 1);
        BinaryPrimitives.WriteUInt32LittleEndian(map[44..], uint.MaxValue);
        BinaryPrimitives.WriteUInt32LittleEndian(map[48..], uint.MaxValue);
        BinaryPrimitives.WriteUInt32LittleEndian(map[52..], 1);
        BinaryPrimitives.WriteUInt16LittleEndian(map[56..], 1);
        Crc(logical, Block);

        var terminator = image.AsSpan(34 * Block, Block);
        Tag(terminator, 8, 34);
        Crc(terminator, 512);
        var anchor = image.AsSpan(256 * Block, Block);
        Tag(anchor, 2, 256);
        BinaryPrimitives.WriteUInt32LittleEndian(anchor[16..], 16 * Block);
        BinaryPrimitives.WriteUInt32LittleEndian(anchor[20..], 32);
        BinaryPrimitives.WriteUInt32LittleEndian(anchor[24..], 16 * Block);
        BinaryPrimitives.WriteUInt32LittleEndian(anchor[28..], 32);
        Crc(anchor, 512);
    }

    private static void Time(Span<byte> at, DateTimeOffset time)
    {
        var utc = time.UtcDateTime;
        BinaryPrimitives.WriteUInt16LittleEndian(at, 0x1000);
        BinaryPrimitives.WriteInt16LittleEndian(at[2..], (short)utc.Year);
        (at[4], at[5], at[6], at[7], at[8]) = ((byte)utc.Month, (byte)utc.Day, (byte)utc.Hour, (byte)utc.Minute, (byte)utc.Second);
    }

    private static void Tag(Span<byte> block, int identifier, int location)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(block, (ushort)identifier);
        block[2] = 3;
        BinaryPrimitives.WriteUInt32LittleEndian(block[12..], (uint)location);
    }

    // CRC-16 (x^16 + x^12 + x^5 + 1) of what follows the tag, then the tag's own checksum.
    private static void Crc(Span<byte> block, int length)
    {
        ushort crc = 0;
        foreach (var value in block[16..length])
        {
            crc ^= (ushort)(value << 8);
            for (var bit = 0; bit < 8; bit++)
                crc = (ushort)((crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1);
        }

        BinaryPrimitives.WriteUInt16LittleEndian(block[8..], crc);
        BinaryPrimitives.WriteUInt16LittleEndian(block[10..], (ushort)(length - 16));
        byte sum = 0;
        for (var i = 0; i < 16; i++)
            sum += i == 4 ? (byte)0 : block[i];
        block[4] = sum;
    }
}

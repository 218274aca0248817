namespace NzbDav.Import.Intake;

/// <summary>
/// Decodes blocks: Huffman codes, move-to-front, Burrows-Wheeler, run lengths. The buffers are reused for the next block.
/// </summary>
internal sealed class BzipBlock
{
    private const int GroupSize = 50;
    private const int MaxCodeLength = 20;

    private static readonly uint[] CrcTable = MakeCrcTable();

    private readonly byte[] _symbols = new byte[256];
    private uint[] _links = [];
    private int _left;
    private uint _at;
    private byte _last;
    private int _repeats;
    private int _pending;
    private uint _crc;
    private uint _expectedCrc;

    /// <summary>True if a block was decoded and its checksum has not been taken yet.</summary>
    public bool HasRun { get; private set; }

    /// <summary>Compares the block's checksum with its output and returns it. Call it once all of the block has been read.</summary>
    public uint VerifyCrc()
    {
        HasRun = false;
        return ~_crc == _expectedCrc ? _expectedCrc : throw new InvalidDataException("the checksum of a block is wrong.");
    }

    /// <summary>Reads bytes of the block; 0 at its end.</summary>
    public int Read(Span<byte> buffer)
    {
        var written = 0;
        while (written < buffer.Length)
        {
            if (_pending > 0)
            {
                _pending--;
                buffer[written++] = _last;
                _crc = _crc << 8 ^ CrcTable[_crc >> 24 ^ _last];
                continue;
            }

            if (_left == 0)
                break;
            var entry = _links[_at];
            _at = entry >> 8;
            _left--;
            var value = (byte)entry;

            // Four equal bytes are followed by the number of further repetitions.
            if (_repeats == 4)
            {
                _pending = value;
                _repeats = 0;
                continue;
            }

            _repeats = value == _last && _repeats > 0 ? _repeats + 1 : 1;
            _last = value;
            buffer[written++] = value;
            _crc = _crc << 8 ^ CrcTable[_crc >> 24 ^ value];
        }

        return written;
    }

    public void Decode(BzipBits bits, int blockSize)
    {
        _expectedCrc = bits.Read(32);
        if (bits.ReadBit())
            throw new InvalidDataException("it was made by a test version of bzip2.");
        var origin = bits.Read(24);
        var used = ReadSymbols(bits);
        var trees = ReadTrees(bits, used + 2, out var selectors);
        if (_links.Length < blockSize)
            _links = new uint[blockSize];
        var counts = new int[256];
        var length = ReadMoves(bits, trees, selectors, used, blockSize, counts);
        if (origin >= length)
            throw new InvalidDataException("the origin of a block is outside the block.");
        Invert(length, counts);
        _at = _links[origin] >> 8;
        _left = length;
        _crc = uint.MaxValue;
        _repeats = _pending = 0;
        HasRun = true;
    }

    /// <summary>Reads which byte values occur: a bitmap of 16 ranges, then one bitmap of 16 values for each range in use.</summary>
    private int ReadSymbols(BzipBits bits)
    {
        var ranges = bits.Read(16);
        var used = 0;
        for (var range = 0; range < 16; range++)
        {
            if ((ranges & 0x8000u >> range) == 0)
                continue;
            var map = bits.Read(16);
            for (var i = 0; i < 16; i++)
            {
                if ((map & 0x8000u >> i) != 0)
                    _symbols[used++] = (byte)(range * 16 + i);
            }
        }

        return used > 0 ? used : throw new InvalidDataException("a block has no symbols.");
    }

    private static BzipTree[] ReadTrees(BzipBits bits, int symbols, out byte[] selectors)
    {
        var count = (int)bits.Read(3);
        var groups = (int)bits.Read(15);
        if (count is < 2 or > 6 || groups == 0)
            throw new InvalidDataException("a block has an invalid number of trees.");
        Span<byte> order = stackalloc byte[6];
        for (var i = 0; i < count; i++)
            order[i] = (byte)i;
        selectors = new byte[groups];
        for (var i = 0; i < groups; i++)
        {
            var move = 0;
            while (bits.ReadBit())
            {
                if (++move >= count)
                    throw new InvalidDataException("a block refers to a tree that it does not have.");
            }

            var chosen = order[move];
            order[..move].CopyTo(order[1..]);
            order[0] = selectors[i] = chosen;
        }

        var trees = new BzipTree[count];
        var lengths = new byte[symbols];
        for (var tree = 0; tree < count; tree++)
        {
            var length = (int)bits.Read(5);
            for (var i = 0; i < symbols; i++)
            {
                while (bits.ReadBit())
                    length += bits.ReadBit() ? -1 : 1;
                if (length is < 1 or > MaxCodeLength)
                    throw new InvalidDataException("a code of a block has an invalid length.");
                lengths[i] = (byte)length;
            }

            trees[tree] = new BzipTree(lengths);
        }

        return trees;
    }

    private int ReadMoves(BzipBits bits, BzipTree[] trees, byte[] selectors, int used, int blockSize, int[] counts)
    {
        var end = used + 1;
        var front = _symbols.AsSpan(0, used).ToArray();
        int length = 0, group = 0, left = 0;
        long run = 0, weight = 1;
        var tree = trees[0];
        while (true)
        {
            if (left == 0)
            {
                if (group == selectors.Length)
                    throw new InvalidDataException("a block has more symbols than it says.");
                tree = trees[selectors[group++]];
                left = GroupSize;
            }

            left--;
            var symbol = tree.Read(bits);

            // RUNA and RUNB are the digits 1 and 2 of a bijective base-2 number.
            if (symbol <= 1)
            {
                run += weight << symbol;
                weight <<= 1;
                if (run > blockSize - length)
                    throw new InvalidDataException("a block is longer than it may be.");
                continue;
            }

            if (run > 0)
            {
                counts[front[0]] += (int)run;
                _links.AsSpan(length, (int)run).Fill(front[0]);
                length += (int)run;
                run = 0;
                weight = 1;
            }

            if (symbol == end)
                return length;
            if (length == blockSize)
                throw new InvalidDataException("a block is longer than it may be.");
            var value = front[symbol - 1];
            front.AsSpan(0, symbol - 1).CopyTo(front.AsSpan(1));
            front[0] = value;
            counts[value]++;
            _links[length++] = value;
        }
    }

    /// <summary>Stores in each entry, above its byte, the index of the entry with the byte that follows it.</summary>
    private void Invert(int length, int[] counts)
    {
        Span<int> next = stackalloc int[256];
        var sum = 0;
        for (var i = 0; i < 256; i++)
        {
            next[i] = sum;
            sum += counts[i];
        }

        for (var i = 0; i < length; i++)
            _links[next[(byte)_links[i]]++] |= (uint)i << 8;
    }

    /// <summary>CRC-32 with the polynomial of Ethernet, most significant bit first (no reflection).</summary>
    private static uint[] MakeCrcTable()
    {
        var table = new uint[256];
        for (var i = 0u; i < 256; i++)
        {
            var value = i << 24;
            for (var bit = 0; bit < 8; bit++)
                value = (value & 0x80000000) != 0 ? value << 1 ^ 0x04C11DB7 : value << 1;
            table[i] = value;
        }

        return table;
    }
}

/// <summary>A canonical Huffman code.</summary>
internal sealed class BzipTree
{
    private const int MaxLength = 20;

    private readonly int[] _limit = new int[MaxLength + 2];
    private readonly int[] _base = new int[MaxLength + 2];
    private readonly ushort[] _symbols;

    /// <param name="lengths">Length of each symbol's code in bits, 1 … 20.</param>
    public BzipTree(ReadOnlySpan<byte> lengths)
    {
        _symbols = new ushort[lengths.Length];
        int code = 0, placed = 0;
        for (var length = 1; length <= MaxLength; length++)
        {
            _base[length] = placed - code;
            for (var symbol = 0; symbol < lengths.Length; symbol++)
            {
                if (lengths[symbol] != length)
                    continue;
                _symbols[placed++] = (ushort)symbol;
                code++;
            }

            // One past the last code of this length.
            _limit[length] = code;
            code <<= 1;
        }
    }

    public int Read(BzipBits bits)
    {
        var code = 0;
        for (var length = 1; length <= MaxLength; length++)
        {
            code = code << 1 | (int)bits.Read(1);
            if (code < _limit[length])
            {
                var index = _base[length] + code;
                return index >= 0 && index < _symbols.Length
                    ? _symbols[index] : throw new InvalidDataException("a code of a block is none.");
            }
        }

        throw new InvalidDataException("a code of a block is none.");
    }
}

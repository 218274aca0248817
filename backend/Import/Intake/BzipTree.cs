namespace NzbDav.Import.Intake;

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
                return index >= 0 && index < _symbols.Length ? _symbols[index] : throw new InvalidDataException("a code of a block is none.");
            }
        }

        throw new InvalidDataException("a code of a block is none.");
    }
}

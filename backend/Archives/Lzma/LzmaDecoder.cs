using System.Buffers.Binary;

namespace NzbDav.Archives.Lzma;

/// <summary>
/// LZMA, for the packed headers of 7z (lzma-specification of the LZMA SDK; names of fields and tables are its own). Keeps all output, which
/// is its dictionary; made for a few megabytes, not for speed. For one caller at a time.
/// </summary>
internal sealed class LzmaDecoder
{
    private const int StateCount = 12;
    private const int PosStatesMax = 16;
    private const int LowLength = 8;
    private const int HighLength = 256;
    private const int ShortestMatch = 2;
    private const int EndPosModelIndex = 14;
    private const int FullDistances = 128;
    private const int AlignBits = 4;
    private const int ProbabilityBits = 11;
    private const ushort Half = 1 << (ProbabilityBits - 1);

    private readonly ushort[] _isMatch = new ushort[StateCount * PosStatesMax];
    private readonly ushort[] _isRep = new ushort[StateCount];
    private readonly ushort[] _isRep0Long = new ushort[StateCount * PosStatesMax];
    private readonly ushort[] _isRepG0 = new ushort[StateCount];
    private readonly ushort[] _isRepG1 = new ushort[StateCount];
    private readonly ushort[] _isRepG2 = new ushort[StateCount];
    private readonly ushort[] _posSlot = new ushort[4 * 64];
    private readonly ushort[] _posSpecial = new ushort[1 + FullDistances - EndPosModelIndex];
    private readonly ushort[] _align = new ushort[1 << AlignBits];
    private readonly ushort[] _matchLength = new ushort[2 + (PosStatesMax * LowLength * 2) + HighLength];
    private readonly ushort[] _repLength = new ushort[2 + (PosStatesMax * LowLength * 2) + HighLength];
    private readonly LzmaOutput _out;
    private ushort[] _literal = [];
    private int _lc;
    private int _lpMask;
    private int _pbMask;
    private int _state;
    private uint _rep0;
    private uint _rep1;
    private uint _rep2;
    private uint _rep3;

    private ReadOnlyMemory<byte> _input;
    private int _at;
    private uint _range;
    private uint _code;

    public LzmaDecoder(LzmaOutput output) => _out = output;

    /// <summary>Sets the properties byte: (pb * 5 + lp) * 9 + lc. False if it is invalid.</summary>
    public bool SetProperties(byte value)
    {
        if (value >= 9 * 5 * 5)
            return false;
        _lc = value % 9;
        var lp = value / 9 % 5;
        _lpMask = (1 << lp) - 1;
        _pbMask = (1 << (value / 45)) - 1;
        _literal = new ushort[0x300 << (_lc + lp)];
        ResetState();
        return true;
    }

    /// <summary>Resets the state as at the beginning of a stream; the output is kept.</summary>
    public void ResetState()
    {
        foreach (var table in (ushort[][])[_isMatch, _isRep, _isRep0Long, _isRepG0, _isRepG1, _isRepG2, _posSlot, _posSpecial, _align,
            _matchLength, _repLength, _literal])
            Array.Fill(table, Half);
        _state = 0;
        (_rep0, _rep1, _rep2, _rep3) = (0, 0, 0, 0);
    }

    /// <summary>
    /// Decodes until the output has <paramref name="end"/> bytes, or an end marker comes. False when the input is damaged or ends before.
    /// </summary>
    public bool Decode(ReadOnlyMemory<byte> input, int end)
    {
        // The range coder's first byte is always 0.
        if (input.Length < 5 || input.Span[0] != 0)
            return false;
        _input = input;
        _at = 5;
        _range = uint.MaxValue;
        _code = BinaryPrimitives.ReadUInt32BigEndian(input.Span[1..]);
        while (_out.Length < end)
        {
            // Reading more than a few bytes past the end means that the input was too short.
            if (_at > input.Length + 4)
                return false;
            var posState = _out.Position & _pbMask;
            if (Bit(_isMatch, (_state * PosStatesMax) + posState) == 0)
            {
                Literal();
                continue;
            }

            int length;
            if (Bit(_isRep, _state) != 0)
            {
                if (_out.Position == 0)
                    return false;
                if (!Repeat(posState, out length))
                    continue;
            }
            else
            {
                (_rep3, _rep2, _rep1) = (_rep2, _rep1, _rep0);
                length = Length(_matchLength, posState);
                _state = _state < 7 ? 7 : 10;
                _rep0 = Distance(length);
                if (_rep0 == uint.MaxValue)
                    return true;
            }

            if (!_out.Repeat(_rep0, Math.Min(length + ShortestMatch, end - _out.Length)))
                return false;
        }

        return _at <= input.Length + 4;
    }

    /// <summary>Decodes a match at one of the last four distances; false if it was a single byte, which has been copied already.</summary>
    private bool Repeat(int posState, out int length)
    {
        length = 0;
        if (Bit(_isRepG0, _state) == 0)
        {
            if (Bit(_isRep0Long, (_state * PosStatesMax) + posState) == 0)
            {
                _state = _state < 7 ? 9 : 11;
                _out.Add(_out.Back(_rep0));
                return false;
            }
        }
        else
        {
            uint distance;
            if (Bit(_isRepG1, _state) == 0)
            {
                distance = _rep1;
            }
            else
            {
                if (Bit(_isRepG2, _state) == 0)
                {
                    distance = _rep2;
                }
                else
                {
                    distance = _rep3;
                    _rep3 = _rep2;
                }

                _rep2 = _rep1;
            }

            _rep1 = _rep0;
            _rep0 = distance;
        }

        length = Length(_repLength, posState);
        _state = _state < 7 ? 8 : 11;
        return true;
    }

    private void Literal()
    {
        int previous = _out.Back(0);
        var table = 0x300 * (((_out.Position & _lpMask) << _lc) + (previous >> (8 - _lc)));
        var symbol = 1;
        if (_state >= 7)
        {
            int match = _out.Back(_rep0);
            do
            {
                var matchBit = (match >> 7) & 1;
                match <<= 1;
                var bit = Bit(_literal, table + ((1 + matchBit) << 8) + symbol);
                symbol = (symbol << 1) | bit;
                if (matchBit != bit)
                    break;
            }
            while (symbol < 0x100);
        }

        while (symbol < 0x100)
            symbol = (symbol << 1) | Bit(_literal, table + symbol);
        _out.Add((byte)symbol);
        _state = _state < 4 ? 0 : _state < 10 ? _state - 3 : _state - 6;
    }

    // Choice, choice 2, low trees, middle trees, high tree.
    private int Length(ushort[] table, int posState)
    {
        if (Bit(table, 0) == 0)
            return Tree(table, 2 + (posState * LowLength), 3);
        if (Bit(table, 1) == 0)
            return LowLength + Tree(table, 2 + ((PosStatesMax + posState) * LowLength), 3);
        return (2 * LowLength) + Tree(table, 2 + (2 * PosStatesMax * LowLength), 8);
    }

    private uint Distance(int length)
    {
        var slot = Tree(_posSlot, Math.Min(length, 3) * 64, 6);
        if (slot < 4)
            return (uint)slot;
        var directBits = (slot >> 1) - 1;
        var distance = (uint)(2 | (slot & 1)) << directBits;
        if (slot < EndPosModelIndex)
            return distance + ReverseTree(_posSpecial, (int)distance - slot, directBits);
        return distance + (Direct(directBits - AlignBits) << AlignBits) + ReverseTree(_align, 0, AlignBits);
    }

    private int Tree(ushort[] table, int at, int bits)
    {
        var symbol = 1;
        for (var i = 0; i < bits; i++)
            symbol = (symbol << 1) + Bit(table, at + symbol);
        return symbol - (1 << bits);
    }

    private uint ReverseTree(ushort[] table, int at, int bits)
    {
        var index = 1;
        uint symbol = 0;
        for (var i = 0; i < bits; i++)
        {
            var bit = Bit(table, at + index);
            index = (index << 1) + bit;
            symbol |= (uint)bit << i;
        }

        return symbol;
    }

    private uint Direct(int bits)
    {
        uint value = 0;
        for (; bits > 0; bits--)
        {
            _range >>= 1;
            _code -= _range;
            var mask = 0 - (_code >> 31);
            _code += _range & mask;
            Normalize();
            value = (value << 1) + mask + 1;
        }

        return value;
    }

    private int Bit(ushort[] table, int at)
    {
        uint probability = table[at];
        var bound = (_range >> ProbabilityBits) * probability;
        int bit;
        if (_code < bound)
        {
            table[at] = (ushort)(probability + (((1 << ProbabilityBits) - probability) >> 5));
            _range = bound;
            bit = 0;
        }
        else
        {
            table[at] = (ushort)(probability - (probability >> 5));
            _code -= bound;
            _range -= bound;
            bit = 1;
        }

        Normalize();
        return bit;
    }

    private void Normalize()
    {
        if (_range >= 1 << 24)
            return;
        _range <<= 8;
        _code = (_code << 8) | (_at < _input.Length ? _input.Span[_at] : 0u);
        _at++;
    }
}

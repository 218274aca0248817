using System.Numerics;

namespace NzbDav.Torrents.Pieces;

/// <summary>One bit per piece. Not thread-safe.</summary>
internal sealed class BitField
{
    private readonly ulong[] _words;

    public BitField(int length)
    {
        Length = length;
        _words = new ulong[(length + 63) / 64];
    }

    /// <summary>Number of bits.</summary>
    public int Length { get; }

    /// <summary>Number of bits that are set.</summary>
    public int Count { get; private set; }

    /// <summary>True if all bits are set.</summary>
    public bool IsFull => Count == Length;

    public bool this[int index] => (_words[index >> 6] >> (index & 63) & 1) != 0;

    /// <summary>Size in wire format, in bytes.</summary>
    public static int Bytes(int length) => (length + 7) / 8;

    /// <summary>Sets a bit; false if it was set.</summary>
    public bool Set(int index)
    {
        var bit = 1UL << (index & 63);
        if ((_words[index >> 6] & bit) != 0)
            return false;
        _words[index >> 6] |= bit;
        Count++;
        return true;
    }

    /// <summary>
    /// True if any bit is set here but clear in <paramref name="other"/>, which has the same length. Stops at the first such word.
    /// </summary>
    public bool HasOther(BitField other)
    {
        for (var i = 0; i < _words.Length; i++)
        {
            if ((_words[i] & ~other._words[i]) != 0)
                return true;
        }

        return false;
    }

    /// <summary>Number of bits set here but clear in another field of the same length; stops counting at <paramref name="most"/>.</summary>
    public int CountOther(BitField other, int most)
    {
        var count = 0;
        for (var i = 0; i < _words.Length && count < most; i++)
            count += BitOperations.PopCount(_words[i] & ~other._words[i]);
        return count;
    }

    /// <summary>Copies all bits of another field of the same length.</summary>
    public void CopyFrom(BitField other)
    {
        other._words.CopyTo(_words, 0);
        Count = other.Count;
    }

    /// <summary>Clears a bit; false if it was clear.</summary>
    public bool Clear(int index)
    {
        var bit = 1UL << (index & 63);
        if ((_words[index >> 6] & bit) == 0)
            return false;
        _words[index >> 6] &= ~bit;
        Count--;
        return true;
    }

    public void SetAll()
    {
        Array.Fill(_words, ulong.MaxValue);
        if ((Length & 63) != 0)
            _words[^1] = (1UL << (Length & 63)) - 1;
        Count = Length;
    }

    /// <summary>
    /// Reads the wire format (BEP 3: the high bit of the first byte is piece 0). False if the length is wrong or a spare bit is set.
    /// </summary>
    public bool TryRead(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != Bytes(Length))
            return false;
        if ((Length & 7) != 0 && (bytes[^1] & (0xFF >> (Length & 7))) != 0)
            return false;
        Array.Clear(_words);
        Count = 0;
        for (var i = 0; i < bytes.Length; i++)
        {
            var reversed = (byte)(((bytes[i] * 0x80200802UL) & 0x0884422110UL) * 0x0101010101UL >> 32);
            _words[i >> 3] |= (ulong)reversed << ((i & 7) * 8);
            Count += BitOperations.PopCount(bytes[i]);
        }

        return true;
    }

    /// <summary>Writes the wire format.</summary>
    public void Write(Span<byte> bytes)
    {
        bytes.Clear();
        for (var i = 0; i < Length; i++)
        {
            if (this[i])
                bytes[i >> 3] |= (byte)(0x80 >> (i & 7));
        }
    }
}

namespace NzbDav.Archives.Lzma;

/// <summary>Output that grows as it is filled, so that a false claim about its length allocates nothing.</summary>
/// <param name="size">Bytes expected: room beyond them is never set aside ahead of need.</param>
internal sealed class LzmaOutput(int size)
{
    private byte[] _bytes = new byte[4096];

    /// <summary>Index where the dictionary was last reset. Matches reach no further back.</summary>
    private int _dictionary;

    public int Length { get; private set; }

    /// <summary>Bytes since the dictionary was reset.</summary>
    public int Position => Length - _dictionary;

    public ReadOnlyMemory<byte> Bytes => _bytes.AsMemory(0, Length);

    public void ResetDictionary() => _dictionary = Length;

    public void Add(byte value)
    {
        Reserve(1);
        _bytes[Length++] = value;
    }

    public void Add(ReadOnlySpan<byte> bytes)
    {
        Reserve(bytes.Length);
        bytes.CopyTo(_bytes.AsSpan(Length));
        Length += bytes.Length;
    }

    /// <summary>The byte at this distance before the last one; 0 if there is none.</summary>
    public byte Back(uint distance) => distance < Position ? _bytes[Length - 1 - (int)distance] : (byte)0;

    /// <summary>Appends bytes copied from this distance before the last one; false if that is before the start of the dictionary.</summary>
    public bool Repeat(uint distance, int count)
    {
        if (distance >= Position)
            return false;
        Reserve(count);
        var from = Length - 1 - (int)distance;
        for (var i = 0; i < count; i++)
            _bytes[Length + i] = _bytes[from + i];
        Length += count;
        return true;
    }

    private void Reserve(int count)
    {
        if (Length + count > _bytes.Length)
            Array.Resize(ref _bytes, Math.Max(Length + count, Math.Min(size, _bytes.Length * 2)));
    }
}

using System.Buffers.Binary;

namespace NzbDav.Archives.Lzma;

/// <summary>Whole LZMA and LZMA2 streams, as 7z keeps them.</summary>
internal static class LzmaStreams
{
    /// <summary>An LZMA stream; null when it is damaged.</summary>
    /// <param name="properties">5 bytes: the properties byte and the size of the dictionary, which does not matter as all output is
    /// kept.</param>
    /// <param name="input">The stream.</param>
    /// <param name="size">Bytes that it gives; the caller bounds it.</param>
    public static ReadOnlyMemory<byte>? Decode(ReadOnlySpan<byte> properties, ReadOnlyMemory<byte> input, int size)
    {
        var output = new LzmaOutput(size);
        var decoder = new LzmaDecoder(output);
        return properties.Length == 5 && decoder.SetProperties(properties[0]) && decoder.Decode(input, size) && output.Length == size
            ? output.Bytes : default(ReadOnlyMemory<byte>?);
    }

    /// <summary>An LZMA2 stream (xz-file-format, 5.3.1; chunks as in Lzma2Dec.c of the LZMA SDK); null when it is damaged.</summary>
    public static ReadOnlyMemory<byte>? DecodeSecond(ReadOnlyMemory<byte> input, int size)
    {
        var output = new LzmaOutput(size);
        var decoder = new LzmaDecoder(output);
        var ready = false;
        while (output.Length < size)
        {
            var head = input.Span;
            if (head.Length < 3 || head[0] == 0)
                return null;
            int control = head[0];
            int unpacked = BinaryPrimitives.ReadUInt16BigEndian(head[1..]) + 1;
            if (control is 1 || control >= 0xE0)
                output.ResetDictionary();
            if (control < 0x80)
            {
                // 1: uncompressed, with a new dictionary; 2: uncompressed.
                if (control > 2 || input.Length < 3 + unpacked || unpacked > size - output.Length)
                    return null;
                output.Add(head.Slice(3, unpacked));
                input = input[(3 + unpacked)..];
                continue;
            }

            unpacked += (control & 0x1F) << 16;
            if (head.Length < 6 || unpacked > size - output.Length)
                return null;
            var packed = BinaryPrimitives.ReadUInt16BigEndian(head[3..]) + 1;
            var begin = control >= 0xC0 ? 6 : 5;
            if (input.Length < begin + packed)
                return null;

            // Bits 5 and 6: 0 nothing is reset, 1 the state, 2 the state and the properties, 3 the dictionary too.
            if (control >= 0xC0)
                ready = decoder.SetProperties(head[5]);
            else if (control >= 0xA0)
                decoder.ResetState();
            if (!ready || !decoder.Decode(input.Slice(begin, packed), output.Length + unpacked))
                return null;
            input = input[(begin + packed)..];
        }

        return output.Bytes;
    }
}

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

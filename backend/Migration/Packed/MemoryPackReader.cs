using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Migration.Packed;

/// <summary>
/// Reads MemoryPack's version-tolerant objects (https://github.com/Cysharp/MemoryPack, "Binary wire format specification"), and never past
/// the end of the input: the library's own reader does so for false lengths, which ends the process. A failed read throws
/// <see cref="InvalidDataException"/>.
/// </summary>
internal ref struct MemoryPackReader(ReadOnlySpan<byte> bytes)
{
    private const byte Null = 255;

    private ReadOnlySpan<byte> _rest = bytes;

    /// <summary>Converts an object's members; a member that a version lacks has no bytes.</summary>
    public delegate T Make<out T>(Members members);

    /// <summary>Reads an object; null if there is none.</summary>
    public T? Object<T>(Make<T> make)
        where T : class
    {
        int count = ReadBytes(1)[0];
        if (count == Null)
            return null;
        var ends = new int[count];
        long end = 0;
        for (var i = 0; i < count; i++)
        {
            var length = Varint();
            end += length;
            if (length < 0 || end > _rest.Length)
                throw Early();
            ends[i] = (int)end;
        }

        return make(new Members(ReadBytes((int)end), ends));
    }

    /// <summary>Reads an array of objects; null if there is none.</summary>
    public T?[]? Objects<T>(Make<T> make)
        where T : class
    {
        if (Count() is not { } count)
            return null;
        var items = new List<T?>();
        for (var i = 0; i < count; i++)
            items.Add(Object(make));
        return [.. items];
    }

    /// <summary>Reads an array of texts; null if there is none.</summary>
    public string?[]? Texts()
    {
        if (Count() is not { } count)
            return null;
        var items = new List<string?>();
        for (var i = 0; i < count; i++)
            items.Add(Text());
        return [.. items];
    }

    /// <summary>Reads an array of bytes; null if there is none.</summary>
    public byte[]? Bytes() => Count() is { } count ? ReadBytes(count).ToArray() : null;

    /// <summary>Reads a text; null if there is none.</summary>
    public string? Text()
    {
        switch (Int32())
        {
            case -1:
                return null;
            case 0:
                return "";
            case > 0 and var units:
                return units <= _rest.Length / 2 ? Encoding.Unicode.GetString(ReadBytes(units * 2)) : throw Early();
            case var packed:
                // The number of UTF-16 units follows; the byte count above is enough.
                Int32();
                return Encoding.UTF8.GetString(ReadBytes(~packed));
        }
    }

    /// <summary>Reads a number of eight bytes.</summary>
    public long Int64() => BinaryPrimitives.ReadInt64LittleEndian(ReadBytes(8));

    /// <summary>Reads a flag.</summary>
    public bool Flag() => ReadBytes(1)[0] != 0;

    private static InvalidDataException Early() => new("it ends early");

    private int Int32() => BinaryPrimitives.ReadInt32LittleEndian(ReadBytes(4));

    /// <summary>Number of items of an array, each of which takes at least one byte.</summary>
    private int? Count() => Int32() switch
    {
        -1 => null,
        >= 0 and var count when count <= _rest.Length => count,
        _ => throw Early(),
    };

    private int Varint()
    {
        var code = ReadBytes(1)[0];
        return code switch
        {
            <= 127 => code,
            0x87 => ReadBytes(1)[0],
            0x85 => BinaryPrimitives.ReadUInt16LittleEndian(ReadBytes(2)),
            0x84 => BinaryPrimitives.ReadInt16LittleEndian(ReadBytes(2)),
            0x82 or 0x83 => Int32(),
            _ => throw new InvalidDataException("it has a length that cannot be"),
        };
    }

    private ReadOnlySpan<byte> ReadBytes(int length)
    {
        if (length < 0 || length > _rest.Length)
            throw Early();
        var taken = _rest[..length];
        _rest = _rest[length..];
        return taken;
    }

    /// <summary>The members of an object, by their order.</summary>
    /// <param name="bytes">The bytes of all members.</param>
    /// <param name="ends">End offset of each member.</param>
    public readonly ref struct Members(ReadOnlySpan<byte> bytes, int[] ends)
    {
        private readonly ReadOnlySpan<byte> _bytes = bytes;

        /// <summary>True if this version has the member.</summary>
        public bool Has(int order) => order < ends.Length && Start(order) < ends[order];

        /// <summary>Reads a member.</summary>
        public MemoryPackReader this[int order] => new(Has(order) ? _bytes[Start(order)..ends[order]] : []);

        private int Start(int order) => order == 0 ? 0 : ends[order - 1];
    }
}

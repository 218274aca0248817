using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Migration.Packed;

/// <summary>
/// Reads one protobuf message, field by field (https://protobuf.dev/programming-guides/encoding). Unrequested fields are skipped.
/// </summary>
internal ref struct ProtobufReader(ReadOnlySpan<byte> message)
{
    private const int LongestVarint = 10;

    private ReadOnlySpan<byte> _rest = message;
    private ReadOnlySpan<byte> _bytes;
    private ulong _number;

    /// <summary>The field's number.</summary>
    public int Field { get; private set; }

    /// <summary>The value of a number.</summary>
    public readonly long Number => (long)_number;

    /// <summary>The value of a message or of bytes; empty for a number.</summary>
    public readonly ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>The value of a text.</summary>
    public readonly string Text => Encoding.UTF8.GetString(_bytes);

    /// <summary>Goes to the next field.</summary>
    /// <returns>False at the end.</returns>
    /// <exception cref="InvalidDataException">The message is damaged.</exception>
    public bool Next()
    {
        if (_rest.IsEmpty)
            return false;
        var tag = Varint();
        if (tag >> 3 is 0 or > 536_870_911)
            throw new InvalidDataException("it has a field with a number that cannot be");
        Field = (int)(tag >> 3);
        _bytes = default;
        switch (tag & 7)
        {
            case 0:
                _number = Varint();
                return true;
            case 1:
                _number = BinaryPrimitives.ReadUInt64LittleEndian(ReadBytes(8));
                return true;
            case 2:
                _number = 0;
                _bytes = ReadBytes(Varint());
                return true;
            case 5:
                _number = BinaryPrimitives.ReadUInt32LittleEndian(ReadBytes(4));
                return true;
            default:
                throw new InvalidDataException("it has a field of a kind that is not known");
        }
    }

    private ReadOnlySpan<byte> ReadBytes(ulong length)
    {
        if (length > (ulong)_rest.Length)
            throw new InvalidDataException("it ends early");
        var taken = _rest[..(int)length];
        _rest = _rest[(int)length..];
        return taken;
    }

    private ulong Varint()
    {
        ulong value = 0;
        for (var i = 0; i < LongestVarint; i++)
        {
            if (i == _rest.Length)
                throw new InvalidDataException("it ends early");
            value |= (ulong)(_rest[i] & 0x7F) << (7 * i);
            if (_rest[i] < 0x80)
            {
                _rest = _rest[(i + 1)..];
                return value;
            }
        }

        throw new InvalidDataException("it has a number that does not end");
    }
}

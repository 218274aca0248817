using System.Buffers.Binary;
using System.Text;

namespace NzbDav.Migration.Sabnzbd;

/// <summary>
/// Reads the texts of a pickled Python dictionary of plain values. Nothing is constructed and nothing runs: anything other than text, a
/// number, a tuple, a list or a dictionary ends the reading (https://github.com/python/cpython/blob/main/Lib/pickletools.py, protocols 2 to
/// 5).
/// </summary>
internal sealed class PickledTexts(byte[] bytes)
{
    private static readonly object Mark = new();
    private static readonly object Other = new();

    private readonly List<object> _stack = [];
    private readonly Dictionary<long, object> _memo = [];
    private int _at;

    /// <summary>The dictionary's entries whose names and values are texts.</summary>
    /// <exception cref="InvalidDataException">It is no such dictionary.</exception>
    public static Dictionary<string, string> Read(byte[] bytes)
    {
        try
        {
            return new PickledTexts(bytes).Read();
        }
        catch (Exception e) when (e is ArgumentException or InvalidCastException or KeyNotFoundException or OverflowException)
        {
            throw new InvalidDataException("It is no pickled dictionary of plain values.", e);
        }
    }

    private Dictionary<string, string> Read()
    {
        while (true)
        {
            var code = ReadBytes(1)[0];
            switch (code)
            {
                case 0x80 or (byte)'K':
                    Skip(1, pushes: code == 'K');
                    break;
                case (byte)'M':
                    Skip(2, pushes: true);
                    break;
                case (byte)'J':
                    Skip(4, pushes: true);
                    break;
                case (byte)'G':
                    Skip(8, pushes: true);
                    break;
                case 0x95:
                    Skip(8, pushes: false);
                    break;
                case 0x8a or (byte)'C':
                    Skip(ReadBytes(1)[0], pushes: true);
                    break;
                case (byte)'N' or 0x88 or 0x89 or (byte)']' or (byte)')':
                    _stack.Add(Other);
                    break;
                case (byte)'}':
                    _stack.Add(new Dictionary<string, string>(StringComparer.Ordinal));
                    break;
                case 0x8c:
                    Text(ReadBytes(1)[0]);
                    break;
                case (byte)'X':
                    Text(Number());
                    break;
                case (byte)'(':
                    _stack.Add(Mark);
                    break;
                case 0x94:
                    _memo[_memo.Count] = _stack[^1];
                    break;
                case (byte)'q':
                    _memo[ReadBytes(1)[0]] = _stack[^1];
                    break;
                case (byte)'r':
                    _memo[Number()] = _stack[^1];
                    break;
                case (byte)'h':
                    _stack.Add(_memo[ReadBytes(1)[0]]);
                    break;
                case (byte)'j':
                    _stack.Add(_memo[Number()]);
                    break;
                case 0x85 or 0x86 or 0x87:
                    Pop(code - 0x84);
                    _stack.Add(Other);
                    break;
                case (byte)'t':
                    PopToMark();
                    _stack.Add(Other);
                    break;
                case (byte)'a':
                    Pop(1);
                    break;
                case (byte)'e':
                    PopToMark();
                    break;
                case (byte)'s':
                    Set(Pop(2));
                    break;
                case (byte)'u':
                    Set(PopToMark());
                    break;
                case (byte)'.':
                    return (Dictionary<string, string>)_stack[^1];
                default:
                    throw new InvalidDataException($"It holds more than plain values (0x{code:x2}).");
            }
        }
    }

    private ReadOnlySpan<byte> ReadBytes(int count)
    {
        var taken = bytes.AsSpan(_at, count);
        _at += count;
        return taken;
    }

    private int Number() => checked((int)BinaryPrimitives.ReadUInt32LittleEndian(ReadBytes(4)));

    private void Skip(int count, bool pushes)
    {
        ReadBytes(count);
        if (pushes)
            _stack.Add(Other);
    }

    private void Text(int length) => _stack.Add(Encoding.UTF8.GetString(ReadBytes(length)));

    private List<object> Pop(int count)
    {
        var popped = _stack.GetRange(_stack.Count - count, count);
        _stack.RemoveRange(_stack.Count - count, count);
        return popped;
    }

    private List<object> PopToMark()
    {
        var popped = Pop(_stack.Count - 1 - _stack.LastIndexOf(Mark));
        Pop(1);
        return popped;
    }

    /// <summary>Stores alternating names and values in the dictionary below them.</summary>
    private void Set(List<object> pairs)
    {
        if (_stack[^1] is not Dictionary<string, string> target)
            throw new InvalidDataException("It sets entries of what is no dictionary.");
        for (var i = 0; i + 1 < pairs.Count; i += 2)
        {
            if (pairs[i] is string name && pairs[i + 1] is string value)
                target[name] = value;
        }
    }
}

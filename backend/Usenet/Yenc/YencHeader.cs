using System.Text;
using System.Text.Unicode;

namespace NzbDav.Usenet.Yenc;

/// <summary>
/// What <c>=ybegin</c> and <c>=ypart</c> say. Kept and refilled by its decoder, so copy what outlives the article. Nothing in it
/// is trusted but syntax: ranges are the reader's to judge. (yEnc draft 1.3, yenc.org.)
/// </summary>
internal sealed class YencHeader
{
    private readonly byte[] _name;
    private int _nameLength;
    private string? _nameText;

    /// <param name="nameCapacity">Longest name kept, in bytes; what is longer is cut.</param>
    public YencHeader(int nameCapacity = 1024)
    {
        _name = new byte[nameCapacity];
    }

    /// <summary>Number of the part from 1; 0 if the post names none (a file in one article).</summary>
    public int Part { get; private set; }

    /// <summary>How many parts the file has; 0 if the post does not say (yEnc 1.1 did not).</summary>
    public int TotalParts { get; private set; }

    /// <summary>Encoded bytes to a line; 0 if not given. Nothing depends on it.</summary>
    public int LineLength { get; private set; }

    /// <summary>Size of the whole file in bytes; -1 if not given.</summary>
    public long FileSize { get; private set; } = -1;

    /// <summary>Whether <c>=ypart</c> told where the part lies.</summary>
    public bool HasRange { get; private set; }

    /// <summary>Offset in the file of the part's first byte, from 0 (the line itself counts from 1).</summary>
    public long Begin { get; private set; }

    /// <summary>True if <c>=ypart</c> begins at 0: some posters count from 0, in all parts of a file or in the first alone.</summary>
    public bool IsFromZero { get; private set; }

    /// <summary>Decoded size of the part in bytes: of <c>=ypart</c>, else the whole file's; -1 if not known.</summary>
    public long PartSize { get; private set; } = -1;

    /// <summary>The file's name as posted, without quotes around it. Valid until the next article.</summary>
    public ReadOnlySpan<byte> NameBytes => _name.AsSpan(0, _nameLength);

    /// <summary>The name as UTF-8 if it is valid, else as Latin-1; empty if not given. Made when first asked for.</summary>
    public string Name => _nameText ??= (Utf8.IsValid(NameBytes) ? Encoding.UTF8 : Encoding.Latin1).GetString(NameBytes);

    /// <summary>Forgets all.</summary>
    public void Reset()
    {
        Part = TotalParts = LineLength = 0;
        FileSize = PartSize = -1;
        Begin = 0;
        HasRange = IsFromZero = false;
        _nameLength = 0;
        _nameText = null;
    }

    /// <summary>Reads <c>=ybegin part=1 total=10 line=128 size=7168000 name=file.bin</c>, with or without its line end.</summary>
    /// <returns>False if it is another line or a number in it is none; then the header is empty.</returns>
    public bool TryReadBegin(ReadOnlySpan<byte> line)
    {
        Reset();
        if (!YencField.IsLine(line, "=ybegin"u8, out var rest))
            return false;

        var valid = true;
        long begin = -1, end = -1;
        while (valid && YencField.TryRead(ref rest, out var key, out var value))
        {
            if (YencField.Is(key, "size"u8))
            {
                valid = YencField.TryNumber(value, out var size);
                FileSize = PartSize = size;
            }
            else if (YencField.Is(key, "part"u8))
            {
                valid = TryCount(value, out var part);
                Part = part;
            }
            else if (YencField.Is(key, "total"u8))
            {
                valid = TryCount(value, out var total);
                TotalParts = total;
            }
            else if (YencField.Is(key, "line"u8))
            {
                valid = TryCount(value, out var length);
                LineLength = length;
            }
            else if (YencField.Is(key, "begin"u8))
            {
                valid = YencField.TryNumber(value, out begin);
            }
            else if (YencField.Is(key, "end"u8))
            {
                valid = YencField.TryNumber(value, out end);
            }
            else if (YencField.Is(key, "name"u8))
            {
                SetName(WithoutPart(value));
            }
        }

        // Some posters write both lines in one, with the fields of =ypart before the name.
        if (valid && end >= 0 && !HasRange)
            valid = TrySetRange(begin, end);
        if (!valid)
            Reset();
        return valid;
    }

    /// <summary>Reads <c>=ypart begin=1 end=716800</c> into the header of the <c>=ybegin</c> before it.</summary>
    /// <returns>False if it is another line, a number in it is none or the end is missing, or the range is empty; then nothing
    /// changes.</returns>
    public bool TryReadPart(ReadOnlySpan<byte> line)
    {
        if (!YencField.IsLine(line, "=ypart"u8, out var rest))
            return false;

        long begin = -1, end = -1;
        while (YencField.TryRead(ref rest, out var key, out var value))
        {
            if (YencField.Is(key, "begin"u8) && !YencField.TryNumber(value, out begin)
                || YencField.Is(key, "end"u8) && !YencField.TryNumber(value, out end))
                return false;
        }

        return TrySetRange(begin, end);
    }

    private bool TrySetRange(long begin, long end)
    {
        if (begin < 0 || end < begin)
            return false;
        HasRange = true;
        IsFromZero = begin == 0;
        Begin = Math.Max(0, begin - 1);
        PartSize = end - begin + 1;
        return true;
    }

    /// <summary>The name, without the <c>=ypart</c> that some posters write behind it on the same line.</summary>
    private ReadOnlySpan<byte> WithoutPart(ReadOnlySpan<byte> name)
    {
        var at = name.LastIndexOf("=ypart "u8);
        return at > 0 && TryReadPart(name[at..]) ? name[..at].TrimEnd(" \t\r\n"u8) : name;
    }

    private static bool TryCount(ReadOnlySpan<byte> value, out int count)
    {
        var valid = YencField.TryNumber(value, out var number) && number <= int.MaxValue;
        count = valid ? (int)number : 0;
        return valid;
    }

    private void SetName(ReadOnlySpan<byte> value)
    {
        if (value is [(byte)'"', .., (byte)'"'])
            value = value[1..^1];
        _nameLength = Math.Min(value.Length, _name.Length);
        value[.._nameLength].CopyTo(_name);
        _nameText = null;
    }
}

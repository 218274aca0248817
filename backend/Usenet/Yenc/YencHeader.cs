using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;

namespace NzbDav.Usenet.Yenc;

/// <summary>
/// The fields of <c>=ybegin</c> and <c>=ypart</c> (yEnc draft 1.3, yenc.org). Its decoder reuses it for the next article, so copy what is
/// needed longer. Only the syntax is checked; the caller must check ranges.
/// </summary>
internal sealed class YencHeader
{
    private readonly byte[] _name;
    private int _nameLength;
    private string? _nameText;

    /// <param name="nameCapacity">Longest name kept, in bytes; a longer one is cut.</param>
    public YencHeader(int nameCapacity = 1024)
    {
        _name = new byte[nameCapacity];
    }

    /// <summary>Number of the part from 1; 0 if not stated (a file in one article).</summary>
    public int Part { get; private set; }

    /// <summary>Number of parts of the file; 0 if not stated (yEnc 1.1 did not have it).</summary>
    public int TotalParts { get; private set; }

    /// <summary>Encoded bytes per line; 0 if not stated. Nothing depends on it.</summary>
    public int LineLength { get; private set; }

    /// <summary>Size of the whole file in bytes; -1 if not stated.</summary>
    public long FileSize { get; private set; } = -1;

    /// <summary>True when the article states the part's range, in <c>=ypart</c> or on the same line.</summary>
    public bool HasRange { get; private set; }

    /// <summary>Offset of the part's first byte in the file, from 0 (<c>=ypart</c> counts from 1).</summary>
    public long Begin { get; private set; }

    /// <summary>True if <c>=ypart</c> begins at 0: some posters count from 0, in all parts of a file or only in the first.</summary>
    public bool IsFromZero { get; private set; }

    /// <summary>Decoded size of the part in bytes: from <c>=ypart</c>, else that of the whole file; -1 if unknown.</summary>
    public long PartSize { get; private set; } = -1;

    /// <summary>The file's name as posted, without quotation marks around it. Valid until the next article.</summary>
    public ReadOnlySpan<byte> NameBytes => _name.AsSpan(0, _nameLength);

    /// <summary>The name as UTF-8 if it is valid, else as Latin-1; empty if not stated. Decoded at the first call.</summary>
    public string Name => _nameText ??= (Utf8.IsValid(NameBytes) ? Encoding.UTF8 : Encoding.Latin1).GetString(NameBytes);

    /// <summary>Clears all fields.</summary>
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
    /// <returns>False if it is another line or a number in it is invalid; then the header is empty.</returns>
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

        // Some posters write both lines as one, with the fields of =ypart before the name.
        if (valid && end >= 0 && !HasRange)
            valid = TrySetRange(begin, end);
        if (!valid)
            Reset();
        return valid;
    }

    /// <summary>Reads <c>=ypart begin=1 end=716800</c> into the header of the <c>=ybegin</c> before it.</summary>
    /// <returns>False if it is another line, a number in it is missing or invalid, or the end lies before the begin; then nothing
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

    /// <summary>The name without the <c>=ypart</c> that some posters append to the same line.</summary>
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

/// <summary>The fields of <c>=yend</c>; null for those not stated.</summary>
/// <param name="Size">Decoded bytes of this part.</param>
/// <param name="Part">Number of the part.</param>
/// <param name="PartCrc"><c>pcrc32</c>: CRC-32 of this part.</param>
/// <param name="FileCrc"><c>crc32</c>: CRC-32 of the whole file, which is that of the part if there is only one.</param>
[StructLayout(LayoutKind.Auto)]
internal readonly record struct YencTrailer(long? Size, int? Part, uint? PartCrc, uint? FileCrc)
{
    /// <summary>Reads <c>=yend size=716800 part=1 pcrc32=a1b2c3d4 crc32=e5f60718</c>, with or without its line end.</summary>
    /// <returns>False if it is another line or a value in it is invalid. The fields before the invalid one are set nevertheless.</returns>
    public static bool TryRead(ReadOnlySpan<byte> line, out YencTrailer trailer)
    {
        trailer = default;
        if (!YencField.IsLine(line, "=yend"u8, out var rest))
            return false;

        while (YencField.TryRead(ref rest, out var key, out var value))
        {
            if (YencField.Is(key, "size"u8))
            {
                if (!YencField.TryNumber(value, out var size))
                    return false;
                trailer = trailer with { Size = size };
            }
            else if (YencField.Is(key, "part"u8))
            {
                if (!YencField.TryNumber(value, out var part) || part > int.MaxValue)
                    return false;
                trailer = trailer with { Part = (int)part };
            }
            else if (YencField.Is(key, "pcrc32"u8))
            {
                if (!YencField.TryChecksum(value, out var crc))
                    return false;
                trailer = trailer with { PartCrc = crc };
            }
            else if (YencField.Is(key, "crc32"u8))
            {
                if (!YencField.TryChecksum(value, out var crc))
                    return false;
                trailer = trailer with { FileCrc = crc };
            }
        }

        return true;
    }
}

/// <summary>Reads the <c>key=value</c> fields of a control line.</summary>
internal static class YencField
{
    /// <summary>Removes the next field from the start of <paramref name="rest"/>. Words without <c>=</c> are skipped.</summary>
    /// <param name="rest">The rest of the line, without its line end.</param>
    /// <param name="key">The text before <c>=</c>.</param>
    /// <param name="value">Up to the next blank. For <c>name</c>, which may contain blanks and always comes last, the rest of the
    /// line.</param>
    /// <returns>False when the line is used up.</returns>
    public static bool TryRead(ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> key, out ReadOnlySpan<byte> value)
    {
        while (true)
        {
            rest = rest.TrimStart(" \t"u8);
            if (rest.IsEmpty)
            {
                key = value = default;
                return false;
            }

            var end = rest.IndexOfAny(" \t"u8);
            var word = end < 0 ? rest : rest[..end];
            var equals = word.IndexOf((byte)'=');
            if (equals >= 0)
            {
                key = word[..equals];
                value = Is(key, "name"u8) ? rest[(equals + 1)..].Trim(" \t\r\n"u8) : word[(equals + 1)..];
                rest = Is(key, "name"u8) ? default : rest[word.Length..];
                return true;
            }

            rest = rest[word.Length..];
        }
    }

    /// <summary>True if the keys are equal, ignoring case.</summary>
    public static bool Is(ReadOnlySpan<byte> key, ReadOnlySpan<byte> lowerCase) =>
        System.Text.Ascii.EqualsIgnoreCase(key, lowerCase);

    /// <summary>True if the line is the control line of that name, such as <c>=yend</c>, followed by a blank or nothing.</summary>
    public static bool IsLine(ReadOnlySpan<byte> line, ReadOnlySpan<byte> name, out ReadOnlySpan<byte> fields)
    {
        line = line.TrimEnd("\r\n"u8);
        var match = line.StartsWith(name) && (line.Length == name.Length || line[name.Length] is (byte)' ' or (byte)'\t');
        fields = match ? line[name.Length..] : default;
        return match;
    }

    /// <summary>Parses a decimal number without sign that fits in 63 bits; leading zeros are allowed.</summary>
    public static bool TryNumber(ReadOnlySpan<byte> value, out long number)
    {
        number = 0;
        foreach (var digit in value)
        {
            if (digit is < (byte)'0' or > (byte)'9' || number > (long.MaxValue - (digit - '0')) / 10)
                return false;
            number = number * 10 + (digit - '0');
        }

        return !value.IsEmpty;
    }

    /// <summary>
    /// Parses a hexadecimal CRC of 1 to 16 digits in either case. The last eight count: some posters write the sign-extended form
    /// <c>ffffffffa1b2c3d4</c>.
    /// </summary>
    public static bool TryChecksum(ReadOnlySpan<byte> value, out uint checksum)
    {
        checksum = 0;
        if (value.Length is 0 or > 16)
            return false;
        foreach (var digit in value)
        {
            if (!char.IsAsciiHexDigit((char)digit))
                return false;
            checksum = (checksum << 4) | (uint)(digit <= (byte)'9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
        }

        return true;
    }
}

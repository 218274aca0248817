namespace NzbDav.Usenet.Yenc;

/// <summary>Reads the next <c>key=value</c> of a control line.</summary>
internal static class YencField
{
    /// <summary>Takes the next field off the front of <paramref name="rest"/>. Words without <c>=</c> are passed over.</summary>
    /// <param name="rest">What is left of the line, without its line end.</param>
    /// <param name="key">What stands before <c>=</c>.</param>
    /// <param name="value">Up to the next blank; of <c>name</c>, which may hold blanks and always comes last, the rest of the line.</param>
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

    /// <summary>Whether the key is the one given in lower case.</summary>
    public static bool Is(ReadOnlySpan<byte> key, ReadOnlySpan<byte> lowerCase) =>
        System.Text.Ascii.EqualsIgnoreCase(key, lowerCase);

    /// <summary>Whether the line is the control line <c>=y…</c> of that name, followed by a blank or nothing.</summary>
    public static bool IsLine(ReadOnlySpan<byte> line, ReadOnlySpan<byte> name, out ReadOnlySpan<byte> fields)
    {
        line = line.TrimEnd("\r\n"u8);
        var match = line.StartsWith(name) && (line.Length == name.Length || line[name.Length] is (byte)' ' or (byte)'\t');
        fields = match ? line[name.Length..] : default;
        return match;
    }

    /// <summary>A decimal number without sign that fits in 63 bits; leading zeros are fine.</summary>
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
    /// A hexadecimal CRC: 1 to 16 digits of either case, of which the last eight count; some posters write the sign-extended form <c>ffffffffa1b2c3d4</c>.
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

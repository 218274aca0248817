using System.Text;

namespace NzbDav.Archives.Rar;

/// <summary>Decodes names of RAR 1.5 to 4.x.</summary>
internal static class Rar4Name
{
    /// <summary>Code page of the DOS and Windows consoles that most posters use.</summary>
    private static readonly Encoding Oem = CodePagesEncodingProvider.Instance.GetEncoding(437)!;

    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    /// <param name="name">FILE_NAME.</param>
    /// <param name="unicode">0x0200: "file name contains the usual name and the encoded Unicode name separated by a zero", or, without a
    /// zero, UTF-8.</param>
    public static string Decode(ReadOnlySpan<byte> name, bool unicode)
    {
        var zero = name.IndexOf((byte)0);
        string text;
        if (unicode && zero >= 0)
            text = Expand(name[..zero], name[(zero + 1)..]);
        else
            text = Plain(zero >= 0 ? name[..zero] : name);

        // RAR for Unix writes '\' between folders too.
        return text.Replace('\\', '/');
    }

    // On Unix, names are stored as in the file system, nearly always in UTF-8. On DOS and Windows they are in an OEM code page, which is
    // hardly ever valid UTF-8.
    private static string Plain(ReadOnlySpan<byte> name)
    {
        try
        {
            return StrictUtf8.GetString(name);
        }
        catch (DecoderFallbackException)
        {
            return Oem.GetString(name);
        }
    }

    // unrar's encname.cpp: the first byte is the high byte of most characters. Then two bits per step, four steps per byte of flags: 0 =
    // one byte; 1 = one byte combined with the high byte; 2 = two bytes; 3 = a run copied from the plain name, unchanged or (0x80) with a
    // correction and the high byte.
    private static string Expand(ReadOnlySpan<byte> plain, ReadOnlySpan<byte> encoded)
    {
        var text = new StringBuilder();
        var reader = new ByteReader(encoded);
        var high = reader.U8() << 8;
        int flags = 0, left = 0;
        while (!reader.Rest.IsEmpty)
        {
            if (left == 0)
            {
                (flags, left) = (reader.U8(), 8);
                if (reader.Rest.IsEmpty)
                    break;
            }

            switch ((flags >> 6) & 3)
            {
                case 0:
                    text.Append((char)reader.U8());
                    break;
                case 1:
                    text.Append((char)(reader.U8() | high));
                    break;
                case 2:
                    text.Append((char)reader.U16());
                    break;
                default:
                    int length = reader.U8();
                    var correction = (length & 0x80) != 0 ? reader.U8() : -1;
                    for (var rest = (length & 0x7F) + 2; rest > 0 && text.Length < plain.Length; rest--)
                        text.Append(correction < 0 ? (char)plain[text.Length] : (char)(((plain[text.Length] + correction) & 0xFF) | high));
                    break;
            }

            flags <<= 2;
            left -= 2;
        }

        return text.ToString();
    }
}

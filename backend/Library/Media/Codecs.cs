using System.Globalization;
using System.Text;

namespace NzbDav.Library.Media;

/// <summary>
/// Builds codec strings (RFC 6381 and each codec's own specification) from decoder configurations, which MP4 has in boxes and Matroska in
/// CodecPrivate. Pure; truncated input gives the plain name.
/// </summary>
internal static class Codecs
{
    // ISO/IEC 14496-15, 5.3.3.1: version 1, profile, compatibility, level. RFC 6381, 3.3: "avc1.PPCCLL".
    public static string Avc(ReadOnlySpan<byte> config, string entry = "avc1") =>
        config.Length >= 4 && config[0] == 1
            ? string.Create(CultureInfo.InvariantCulture, $"{entry}.{config[1]:x2}{config[2]:x2}{config[3]:x2}") : entry;

    // ISO/IEC 14496-15, 8.3.3.1 and E.3: profile space and number, compatibility flags in reversed bit order, tier and level, constraint
    // bytes without trailing zeros.
    public static string Hevc(ReadOnlySpan<byte> config, string entry = "hvc1")
    {
        if (config.Length < 13 || config[0] != 1)
            return entry;
        var text = new StringBuilder(entry).Append('.');
        if (config[1] >> 6 is > 0 and var space)
            text.Append((char)('A' + space - 1));
        uint reversed = 0;
        var compatibility = Bits.U32(config, 2);
        for (var bit = 0; bit < 32; bit++)
            reversed |= ((compatibility >> bit) & 1) << (31 - bit);
        text.Append(CultureInfo.InvariantCulture, $"{config[1] & 0x1F}.{reversed:X}.{((config[1] & 0x20) != 0 ? 'H' : 'L')}{config[12]}");
        var constraints = config[6..12].TrimEnd((byte)0);
        foreach (var one in constraints)
            text.Append(CultureInfo.InvariantCulture, $".{one:X}");
        return text.ToString();
    }

    // AV1 in ISOBMFF, 2.3.3 and 5: "av01.P.LLT.DD".
    public static string Av1(ReadOnlySpan<byte> config)
    {
        if (config.Length < 3 || config[0] != 0x81)
            return "av01";
        var depth = (config[2] & 0x40) == 0 ? 8 : (config[2] & 0x20) == 0 ? 10 : 12;
        return string.Create(
            CultureInfo.InvariantCulture, $"av01.{config[1] >> 5}.{config[1] & 0x1F:D2}{((config[2] & 0x80) != 0 ? 'H' : 'M')}.{depth:D2}");
    }

    // VP Codec ISO Media File Format Binding, 2.2: "vp09.PP.LL.DD". Version and flags come first in the box.
    public static string Vp(ReadOnlySpan<byte> box, string entry) =>
        box.Length >= 7 ? string.Create(CultureInfo.InvariantCulture, $"{entry}.{box[4]:D2}.{box[5]:D2}.{box[6] >> 4:D2}") : entry;

    // Matroska's CodecPrivate of VP9: id, length, value; id 1 is the profile, 2 the level, 3 the bit depth. Mostly absent.
    public static string Vp9(ReadOnlySpan<byte> features)
    {
        int profile = -1, level = -1, depth = -1;
        for (var at = 0; at + 3 <= features.Length; at += 2 + features[at + 1])
        {
            if (features[at + 1] != 1)
                continue;
            switch (features[at])
            {
                case 1: profile = features[at + 2]; break;
                case 2: level = features[at + 2]; break;
                case 3: depth = features[at + 2]; break;
            }
        }

        return profile < 0 || level < 0 || depth < 0
            ? "vp9" : string.Create(CultureInfo.InvariantCulture, $"vp09.{profile:D2}.{level:D2}.{depth:D2}");
    }

    // ISO/IEC 14496-3, 1.6.2.1: the object type in five bits; 31 stands for 32 plus the next six bits.
    public static string Aac(ReadOnlySpan<byte> config)
    {
        if (config.Length < 2)
            return "mp4a.40.2";
        var type = config[0] >> 3;
        if (type == 31)
            type = 32 + (((config[0] & 7) << 3) | (config[1] >> 5));
        return string.Create(CultureInfo.InvariantCulture, $"mp4a.40.{(type == 0 ? 2 : type)}");
    }

    // Dolby Vision Streams within ISOBMFF, 3.2: seven bits of profile, six of level.
    public static string DolbyVision(ReadOnlySpan<byte> config, string entry) =>
        config.Length >= 4 ? string.Create(
            CultureInfo.InvariantCulture, $"{entry}.{config[2] >> 1:D2}.{((config[2] & 1) << 5) | (config[3] >> 3):D2}") : entry;
}

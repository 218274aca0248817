using System.Globalization;

namespace NzbDav.Archives.Volumes;

/// <summary>
/// The parts of a volume's name: a stem that the volumes of a set share, and a number. The schemes in use: <c>x.part01.rar</c>; <c>x.rar,
/// x.r00 … x.r99, x.s00</c>; <c>x.001</c>, <c>x.1</c> (also <c>x.7z.001</c>).
/// </summary>
/// <param name="Stem">The stem in lower case, with a suffix for the scheme, so that sets in different schemes stay apart.</param>
/// <param name="Number">Number of the volume; the set's first is 0 or 1 in the numeric schemes.</param>
/// <param name="Scheme">The scheme of the name.</param>
internal readonly record struct VolumeName(string Stem, int Number, VolumeScheme Scheme)
{
    public static VolumeName? Parse(string name)
    {
        var dot = name.LastIndexOf('.');
        if (dot <= 0)
            return null;
        var stem = name[..dot];
        var extension = name[(dot + 1)..].ToLowerInvariant();
        if (extension is "rar" or "exe" or "sfx" && Numbered(stem, "part") is { } part)
            return part;
        if (extension is "rar" or "exe" or "sfx")
            return new VolumeName(stem.ToLowerInvariant() + "|r", 0, VolumeScheme.Letter);
        if (extension is [>= 'r' and <= 'z', _, _] && Digits(extension.AsSpan(1)) is { } old)
            return new VolumeName(stem.ToLowerInvariant() + "|r", ((extension[0] - 'r') * 100) + old + 1, VolumeScheme.Letter);
        if (Digits(extension) is { } number)
            return new VolumeName(stem.ToLowerInvariant() + "|n", number, VolumeScheme.Numeric);
        return Numbered(name, "part");
    }

    // "x.part07", without the extension.
    private static VolumeName? Numbered(string name, string word)
    {
        var dot = name.LastIndexOf('.');
        return dot > 0 && name.AsSpan(dot + 1).StartsWith(word, StringComparison.OrdinalIgnoreCase)
            && Digits(name.AsSpan(dot + 1 + word.Length)) is { } number
            ? new VolumeName(name[..dot].ToLowerInvariant() + "|p", number, VolumeScheme.Part)
            : null;
    }

    private static int? Digits(ReadOnlySpan<char> text) =>
        text.Length is >= 1 and <= 5 && !text.ContainsAnyExceptInRange('0', '9')
            ? int.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture) : null;
}

/// <summary>How volumes are numbered in their names.</summary>
internal enum VolumeScheme
{
    /// <summary><c>x.part1.rar</c>.</summary>
    Part,

    /// <summary><c>x.rar, x.r00</c>. <see cref="VolumeName.Number"/> is 0 for the first of them, 1 for the second.</summary>
    Letter,

    /// <summary><c>x.001</c>.</summary>
    Numeric,
}

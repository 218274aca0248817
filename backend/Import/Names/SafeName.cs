using System.Collections.Frozen;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace NzbDav.Import.Names;

/// <summary>Turns untrusted text into names for the tree that are valid on the file system of every client.</summary>
public static partial class SafeName
{
    /// <summary>Longest name in bytes of UTF-8 on Linux and most other systems.</summary>
    private const int MaxBytes = 255;

    /// <summary>Most parts of a path; Linux allows 4096 bytes for a whole path.</summary>
    private const int MaxDepth = 32;

    private static readonly HashSet<string> Devices = new(StringComparer.OrdinalIgnoreCase)
    {
        // https://learn.microsoft.com/windows/win32/fileio/naming-a-file; superscript digits count as digits there.
        "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "COM¹", "COM²", "COM³", "LPT¹", "LPT²", "LPT³", "COM1", "COM2", "COM3", "COM4",
            "COM5", "COM6", "COM7", "COM8", "COM9",
        "LPT1", "LPT2", "LPT3", "LPT4", "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
    };

    /// <summary>
    /// Endings of small files that make a program open any address or path in them, without a question or on the first click. Programs are
    /// not here: the *arrs recognise those by their endings and refuse the download.
    /// </summary>
    private static readonly FrozenSet<string> Openers = new[]
    {
        // `rclone mount --links` shows it as a symbolic link to the path in it. Media servers play the address in it.
        ".rclonelink", ".strm",

        // Shortcuts of Windows, macOS and Linux, also those that fetch an icon from another machine as soon as the folder is shown.
        ".url", ".website", ".lnk", ".scf", ".appref-ms", ".library-ms", ".search-ms", ".searchconnector-ms", ".settingcontent-ms",
        ".theme", ".rdp",
        ".webloc", ".inetloc", ".fileloc", ".mailloc", ".ftploc", ".afploc", ".desktop", ".directory",

        // Lists of addresses that players and media servers open. Albums come with .m3u and .cue, which name their own files.
        ".pls", ".asx", ".wax", ".wvx", ".wpl", ".xspf", ".ram", ".qtl", ".jnlp",
    }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>The same for whole names: Windows reads them when a folder or a disc is opened.</summary>
    private static readonly FrozenSet<string> OpenersByName =
        new[] { "desktop.ini", "autorun.inf" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>
    /// The last part of a path as a safe name. It is composed (form C) and has no control characters or separators, no blanks at its ends
    /// and no dots at its end. Characters that Windows refuses become underscores; the name of a Windows device gets one as a prefix. At
    /// most 255 bytes: a longer name loses its middle, but never the extension or a season and episode. Letters of all scripts stay.
    /// </summary>
    /// <returns>Null if nothing is left.</returns>
    public static string? Of(string? text)
    {
        if (string.IsNullOrWhiteSpace(text))
            return null;
        var cut = text.LastIndexOfAny(['/', '\\']);
        var name = new StringBuilder(text.Length);
        foreach (var rune in (cut >= 0 ? text[(cut + 1)..] : text).EnumerateRunes())
        {
            if (rune == Rune.ReplacementChar || Rune.GetUnicodeCategory(rune) is UnicodeCategory.Control or UnicodeCategory.Format
                or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator)
                continue;
            name.Append(rune.Value is '<' or '>' or ':' or '"' or '|' or '?' or '*' ? "_" : rune.ToString());
        }

        var result = Composition.Compose(name.ToString()).TrimStart(' ', '\u00a0').TrimEnd('.', ' ', '\u00a0');
        if (result.Length == 0 || result.All(c => c == '.'))
            return null;

        // Cutting a long name may turn it into the name of a device.
        result = Shorten(result, "");
        return Devices.Contains(result.Split('.')[0].TrimEnd()) ? Shorten($"_{result}", "") : result;
    }

    /// <summary>
    /// The parts of a path from an archive, each made safe. No part leads up or out: <c>..</c>, drive letters and empty parts are dropped.
    /// A path that is too deep loses parts before its last.
    /// </summary>
    /// <param name="path">Separated by slashes of either kind.</param>
    /// <returns>The parts; none if nothing is left.</returns>
    public static IReadOnlyList<string> PathOf(string? path)
    {
        var parts = new List<string>();
        foreach (var part in (path ?? "").Split('/', '\\'))
        {
            if (part is not [_, ':'] && Of(part) is { } name)
                parts.Add(name);
        }

        // A deeper path exceeds the path limit of every client.
        return parts.Count <= MaxDepth ? parts : [.. parts.Take(MaxDepth - 1), parts[^1]];
    }

    /// <summary>
    /// Makes the name of a posted file harmless, so that no program follows an address in it: <c>film.strm</c> becomes
    /// <c>film.strm.txt</c>. Other names stay.
    /// </summary>
    /// <param name="name">A safe name.</param>
    public static string MakeInert(string name) =>
        Openers.Contains(Path.GetExtension(name)) || OpenersByName.Contains(name) ? WithSuffix(name, ".txt") : name;

    /// <summary>The name with a number before its extension, for a name that is taken.</summary>
    public static string WithNumber(string name, int number) => Shorten(name, string.Create(CultureInfo.InvariantCulture, $" ({number})"));

    /// <summary>The name with a suffix, such as an extension, that is never cut.</summary>
    /// <param name="name">Cut if both together exceed 255 bytes.</param>
    /// <param name="suffix">Must be safe and shorter than 255 bytes.</param>
    public static string WithSuffix(string name, string suffix)
    {
        ArgumentNullException.ThrowIfNull(name);
        ArgumentNullException.ThrowIfNull(suffix);
        return Cut(name, MaxBytes - Encoding.UTF8.GetByteCount(suffix)) + suffix;
    }

    private static string Shorten(string name, string suffix)
    {
        var extension = Path.GetExtension(name);
        if (extension.Length > 12 || extension.Length == name.Length)
            extension = "";
        var stem = name[..^extension.Length];
        var room = MaxBytes - Encoding.UTF8.GetByteCount(extension) - Encoding.UTF8.GetByteCount(suffix);
        return Cut(stem, room) + suffix + extension;
    }

    /// <summary>
    /// As much of a text as fits: its beginning and its end, and the season and episode if they are between these. Never cuts inside a
    /// character.
    /// </summary>
    private static string Cut(string text, int room)
    {
        if (Encoding.UTF8.GetByteCount(text) <= room)
            return text;
        var tail = Last(text, room / 2);
        room -= Encoding.UTF8.GetByteCount(tail);
        var head = First(text, room);
        if (Episode().Match(text) is { Success: true } episode && episode.Index + episode.Length > head.Length
            && episode.Index < text.Length - tail.Length)
        {
            tail = tail[Math.Max(0, episode.Index + episode.Length - (text.Length - tail.Length))..];
            head = First(text, room - episode.Length) + episode.Value;
        }

        return (head + tail).TrimEnd(' ', '.', '\u00a0');
    }

    private static string First(string text, int room)
    {
        var kept = 0;
        foreach (var rune in text.EnumerateRunes())
        {
            room -= rune.Utf8SequenceLength;
            if (room < 0)
                break;
            kept += rune.Utf16SequenceLength;
        }

        return text[..kept];
    }

    private static string Last(string text, int room)
    {
        var start = text.Length;
        while (start > 0)
        {
            var length = start > 1 && char.IsSurrogatePair(text[start - 2], text[start - 1]) ? 2 : 1;
            room -= Encoding.UTF8.GetByteCount(text.AsSpan(start - length, length));
            if (room < 0)
                break;
            start -= length;
        }

        return text[start..];
    }

    // S01E02, S01E02E03, 1x02.
    [GeneratedRegex(@"[Ss][0-9]{1,2}[Ee][0-9]{1,4}([Ee-][0-9]{1,4})*|\b[0-9]{1,2}x[0-9]{2,3}\b",
        RegexOptions.CultureInvariant | RegexOptions.NonBacktracking | RegexOptions.ExplicitCapture)]
    private static partial Regex Episode();
}

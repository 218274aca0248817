using System.Buffers;
using System.Globalization;
using System.Text;

namespace NzbDav.Library.Export;

/// <summary>
/// Chooses the names in one exported folder: valid on Linux, Windows and SMB shares, and no two that differ only by case. When names
/// collide the oldest item (lowest id) keeps the plain name, so names do not change when files are added. For one caller at a time.
/// </summary>
internal sealed class ExportNames
{
    /// <summary>
    /// The longest name on Linux, in bytes of UTF-8. Windows allows 255 UTF-16 units; a name never has more units than bytes.
    /// </summary>
    private const int MostBytes = 255;

    /// <summary>
    /// Length up to which a name is compared with <see cref="Devices"/>: the longest has 4 letters, and blanks may follow.
    /// </summary>
    private const int LongestDevice = 8;

    private static readonly HashSet<string> Devices = new(StringComparer.OrdinalIgnoreCase)
    {
        // https://learn.microsoft.com/windows/win32/fileio/naming-a-file
        "CON", "PRN", "AUX", "NUL", "COM1", "COM2", "COM3", "COM4", "COM5", "COM6", "COM7", "COM8", "COM9", "LPT1", "LPT2", "LPT3", "LPT4",
            "LPT5", "LPT6", "LPT7", "LPT8", "LPT9",
    };

    private static readonly SearchValues<char> Refused = SearchValues.Create(
        [.. "<>:\"|?*\\", .. Enumerable.Range(0, ' ').Select(static code => (char)code)]);

    /// <summary>The first name. Most folders hold one item and need no set.</summary>
    private string? _first;
    private HashSet<string>? _used;

    /// <summary>Claims a name that nothing else in the folder has.</summary>
    /// <param name="name">Its name in the tree.</param>
    /// <param name="id">Id of the item; marks the name if the plain one is taken.</param>
    /// <param name="extension">Appended; never truncated.</param>
    public string Claim(string name, long id, string extension)
    {
        var result = Fit(name, "", extension);
        if (!TryClaim(result))
        {
            // The last digits of an id are random: two items with the same name and the same mark do not occur in one folder.
            var mark = string.Create(CultureInfo.InvariantCulture, $" ~{id & 0xffffffff:x8}");
            result = extension.Length > 0
                ? Fit(name, mark, extension) : Fit(Path.GetFileNameWithoutExtension(name), mark, Path.GetExtension(name));
            TryClaim(result);
        }

        return result;
    }

    /// <summary>Claims a name; false if it is in use.</summary>
    public bool TryClaim(string name)
    {
        if (_first is null)
        {
            _first = name;
            return true;
        }

        return (_used ??= new HashSet<string>(StringComparer.OrdinalIgnoreCase) { _first }).Add(name);
    }

    private static string Fit(string name, string mark, string extension)
    {
        var safe = Safe(name);
        var whole = safe + mark + extension;
        if (whole.Length <= MostBytes / 3 || Encoding.UTF8.GetByteCount(whole) <= MostBytes)
            return Whole(whole);

        // Truncated names of different files must stay different: append a hash of the whole name.
        var hash = string.Create(CultureInfo.InvariantCulture, $"~{(uint)SmallHash.Of(Encoding.UTF8.GetBytes(name)):x8}");
        var tail = extension.Length > 0 ? extension : TailOf(safe);
        var stem = extension.Length > 0 ? safe : safe[..^tail.Length];
        return Whole(Cut(stem, MostBytes - Encoding.UTF8.GetByteCount(hash + mark + tail)).TrimEnd('.', ' ') + hash + mark + tail);
    }

    /// <summary>The extension, if it is short enough to be kept; otherwise empty.</summary>
    private static string TailOf(string name) => Path.GetExtension(name) is { Length: > 1 and <= 16 } extension ? extension : "";

    private static string Safe(string name)
    {
        if (!name.AsSpan().ContainsAny(Refused))
            return name;
        var safe = name.ToCharArray();
        for (var i = 0; i < safe.Length; i++)
            safe[i] = Refused.Contains(safe[i]) ? '_' : safe[i];
        return new string(safe);
    }

    private static string Whole(string name)
    {
        // Windows drops dots and blanks at the end of a name, and the name of our own folder is in use.
        if (name[^1] is '.' or ' ')
            name = name.Length == 1 ? "_" : name[..^1] + "_";
        var dot = name.IndexOf('.', StringComparison.Ordinal);
        if (dot is < 0 or > LongestDevice && name.Length > LongestDevice && name[0] != '.')
            return name;
        var device = (dot < 0 ? name : name[..dot]).TrimEnd();
        return Devices.Contains(device) || name.Equals(ExportManifest.FolderName, StringComparison.OrdinalIgnoreCase)
            ? Cut("_" + name, MostBytes) : name;
    }

    private static string Cut(string name, int bytes)
    {
        var kept = 0;
        foreach (var rune in name.EnumerateRunes())
        {
            bytes -= rune.Utf8SequenceLength;
            if (bytes < 0)
                break;
            kept += rune.Utf16SequenceLength;
        }

        return name[..kept];
    }
}

using System.Globalization;
using System.Text;
using NzbDav.Migration.Titles;

namespace NzbDav.Migration.Sabnzbd;

/// <summary>SABnzbd's <c>sabnzbd.ini</c>: sections in single brackets, subsections in double brackets, <c>name = value</c>.</summary>
internal sealed class SabnzbdIni
{
    private const int Longest = 4 << 20;
    private const string Encoded = "!!!encoded!!!";

    private readonly Dictionary<string, Dictionary<string, string>> _sections = new(StringComparer.OrdinalIgnoreCase);

    /// <exception cref="MigrationException">It cannot be read.</exception>
    public static SabnzbdIni Read(string path)
    {
        try
        {
            if (new FileInfo(path).Length > Longest)
                throw new MigrationException($"{path} is longer than {Longest >> 20} MiB: it is no configuration of SABnzbd.");
            return Parse(File.ReadAllText(path));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new MigrationException($"{path} cannot be read: {e.Message} Run this command as a user who may read that folder.", e);
        }
    }

    /// <summary>Parses it; invalid lines are skipped.</summary>
    public static SabnzbdIni Parse(string text)
    {
        var ini = new SabnzbdIni();
        var (above, section) = ("", ini.Section(""));
        foreach (var whole in text.AsSpan().EnumerateLines())
        {
            var line = whole.Trim().ToString();
            if (line.Length == 0 || line[0] is '#' or ';')
                continue;
            if (line.StartsWith("[[", StringComparison.Ordinal) && line.EndsWith("]]", StringComparison.Ordinal) && line.Length > 4)
                section = ini.Section($"{above}/{Unquoted(line[2..^2].Trim())}");
            else if (line[0] == '[' && line[^1] == ']')
                section = ini.Section(above = Unquoted(line[1..^1].Trim()));
            else if (line.IndexOf('=', StringComparison.Ordinal) is > 0 and var equals)
                section[Unquoted(line[..equals].Trim())] = Unquoted(line[(equals + 1)..].Trim());
        }

        return ini;
    }

    /// <summary>A value; empty if it is not set.</summary>
    public string Value(string section, string name) =>
        _sections.TryGetValue(section, out var values) ? values.GetValueOrDefault(name, "") : "";

    /// <summary>A whole number.</summary>
    public int Number(string section, string name, int otherwise) => int.TryParse(
        Value(section, name), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) ? number : otherwise;

    /// <summary>A password: plain, or as two hexadecimal digits per character, with a blank in place of a leading zero.</summary>
    /// <returns>Null if it cannot be read.</returns>
    public string? Password(string section, string name)
    {
        var text = Value(section, name);
        if (!text.StartsWith(Encoded, StringComparison.Ordinal))
            return text;
        var digits = text[Encoded.Length..];
        var plain = new StringBuilder();
        for (var i = 0; i + 1 < digits.Length; i += 2)
        {
            if (!int.TryParse(
                digits.AsSpan(i, 2).TrimStart(' '), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var character))
                return null;
            plain.Append((char)character);
        }

        return digits.Length % 2 == 0 ? plain.ToString() : null;
    }

    /// <summary>The subsections of a section.</summary>
    public IEnumerable<string> Below(string section) =>
        _sections.Keys.Where(name => name.StartsWith(section + "/", StringComparison.OrdinalIgnoreCase));

    private Dictionary<string, string> Section(string name)
    {
        if (!_sections.TryGetValue(name, out var section))
            _sections[name] = section = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        return section;
    }

    private static string Unquoted(string text) => text is ['"', .., '"'] or ['\'', .., '\''] ? text[1..^1] : text;
}

using System.Text.RegularExpressions;

namespace NzbDav.Host.Logging;

/// <summary>Removes everything that looks like a secret from a text. Thread-safe.</summary>
internal static partial class Redaction
{
    public const string Mark = "***";

    /// <summary>The text without keys, passwords, cookies, magnet links and queries of addresses.</summary>
    public static string Clean(string text)
    {
        if (text.Contains("magnet:", StringComparison.OrdinalIgnoreCase))
            text = Magnet().Replace(text, "magnet:" + Mark);
        if (text.Contains("%3A", StringComparison.OrdinalIgnoreCase))
            text = Escaped().Replace(text, "${scheme}" + Mark);
        if (text.Contains("/stremio/", StringComparison.Ordinal))
            text = AddonKey().Replace(text, Mark);
        if (text.Contains("://", StringComparison.Ordinal))
            text = Address().Replace(text, static match => CleanAddress(match));
        text = Header().Replace(text, static match => CleanField(match));
        text = Credential().Replace(text, "${scheme} " + Mark);
        text = Field().Replace(text, static match => CleanField(match));
        return text.Contains("{{", StringComparison.Ordinal) ? Braces().Replace(text, "{{" + Mark + "}}") : text;
    }

    /// <summary>
    /// Keeps host and plain path, which show what was requested. Removes the user, the query, and path segments that look like keys.
    /// </summary>
    private static string CleanAddress(Match match)
    {
        var path = Token().Replace(match.Groups["path"].Value, Mark);
        var query = match.Groups["query"].Length > 0 ? "?" + Mark : "";
        return match.Groups["scheme"].Value + match.Groups["host"].Value + path + query;
    }

    /// <summary>Keeps the quotes around a value, so that JSON stays valid.</summary>
    private static string CleanField(Match match)
    {
        var value = match.Groups["value"].Value.AsSpan();
        var begin = value.IndexOfAnyExcept('\\', '"', '\'');
        var quote = begin < 0 ? value[..(value.Length / 2)] : value[..begin];
        return string.Concat(match.Groups["name"].Value, quote, Mark, quote);
    }

    // Backslashes and double quotes end every match: in a JSON line they belong to the line, not to the value.
    [GeneratedRegex("""magnet:[^\s"'<>\\]+""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Magnet();

    /// <summary>An address or a magnet link inside the query of another address.</summary>
    [GeneratedRegex("""(?<scheme>(https?|udp|wss?|ftp)%3A%2F%2F|magnet%3A)[^\s&"'<>\\]+""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Escaped();

    [GeneratedRegex("""(?<scheme>[a-z][a-z0-9+.-]*://)([^\s/?#"'<>\\]*@)?(?<host>[^\s/?#"'<>@\\]*)(?<path>[^\s?#"'<>\\]*)(?<query>[?#][^\s"'<>\\]*)?""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Address();

    /// <summary>A path segment that is a key, such as a tracker's passkey: 16 characters or more, with a digit and without a dot.</summary>
    [GeneratedRegex("""(?<=/)(?=[A-Za-z0-9_-]*[0-9])[A-Za-z0-9_-]{16,}(?=/|$)""", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Token();

    /// <summary>The key in an address of the add-on, in a path without a host too.</summary>
    [GeneratedRegex("""(?<=/stremio/)[A-Za-z0-9_-]{16,64}""", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex AddonKey();

    /// <summary>Header lines, and names and values in dumps of headers.</summary>
    [GeneratedRegex("""(?<name>\b(proxy-)?(authorization|cookie|set-cookie|x-api-key|x-emby-token|x-plex-token)\\*["']?\s*[:=]\s*)(?<value>\\+"[^"]*\\"|"([^"\\]|\\.)*"|[^\r\n"\\]+)""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Header();

    [GeneratedRegex("""\b(?<scheme>Basic|Bearer|Digest)\s+[A-Za-z0-9+/._~=-]{6,}""", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Credential();

    /// <summary>name=value in forms, settings and queries, and "name": "value" in JSON.</summary>
    [GeneratedRegex("""(?<name>\b[\w.:-]*(api_?key|nzb_?key|add_?key|read_?key|passkey|authkey|torrent_pass|password|passwd|pwd|psw|passphrase|secret|token)\\*["']?\s*[=:]\s*)(?<value>\\+"[^"]*\\"|"([^"\\]|\\.)*"|'[^']*'|[^\s&;,"'<>\\]+)|(?<name>[?&](i|r|key|auth|pw)=)(?<value>[^\s&"'<>\\]+)""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Field();

    /// <summary>name{{password}}.nzb</summary>
    [GeneratedRegex("""\{\{[^}"\r\n]*\}\}""", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Braces();
}

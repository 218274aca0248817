using System.Buffers;
using System.Reflection;
using System.Text;
using System.Text.RegularExpressions;

namespace NzbDav.Host.Operations;

/// <summary>
/// Removes names of files and jobs from the log. Lines of this program are recognised by their message templates, and values in them that
/// could be names are left out. Of other lines only text that is known to contain no names is kept.
/// </summary>
internal sealed partial class NameFilter
{
    private const string Mark = "<name>";

    /// <summary>Values that are never names.</summary>
    private static readonly HashSet<string> Plain = new(StringComparer.Ordinal)
    {
        "Provider", "Host", "Port", "Limit", "Configured", "Seconds", "Milliseconds", "Minutes", "Files", "Bytes", "Blobs", "BlobBytes",
            "Size", "Code", "Fault", "Left", "Start", "End",
        "Category", "Address", "Format", "Volumes", "Jobs", "From", "To", "Missing",
    };

    private static readonly Lazy<Regex[]> Templates = new(FindTemplates);

    private readonly SearchValues<string>? _search;
    private readonly string[] _names;

    /// <param name="names">Known names, so that they are also found inside reasons.</param>
    public NameFilter(IEnumerable<string> names)
    {
        _names = [.. names.Where(name => name.Length > 3).Distinct(StringComparer.Ordinal).OrderByDescending(name => name.Length)];
        _search = _names.Length == 0 ? null : SearchValues.Create(_names, StringComparison.Ordinal);
    }

    /// <summary>Cleans a whole log.</summary>
    public string Clean(string log)
    {
        var result = new StringBuilder(log.Length);
        foreach (var line in log.AsSpan().EnumerateLines())
        {
            if (line.Length > 0)
                result.Append(CleanLine(line.ToString())).Append('\n');
        }

        return result.ToString();
    }

    /// <summary>Cleans a sentence about a job.</summary>
    public string CleanMessage(string message)
    {
        if (_search is not null && message.AsSpan().ContainsAny(_search))
        {
            foreach (var name in _names)
                message = message.Replace(name, Mark, StringComparison.Ordinal);
        }

        return FileName().Replace(Quoted().Replace(message, $"'{Mark}'"), Mark);
    }

    private string CleanLine(string line)
    {
        var head = Head().Match(line);
        if (!head.Success)
            return Frame().IsMatch(line) ? line : ExceptionType().Match(line) is { Success: true } exception
                ? exception.Groups["type"].Value : "(left out: it may hold names)";
        var message = line[head.Length..];
        if (!head.Groups["context"].Value.StartsWith("NzbDav.", StringComparison.Ordinal))
            return head.Value + CleanMessage(message);
        foreach (var template in Templates.Value)
        {
            if (template.Match(message) is { Success: true } match)
                return head.Value + CleanMatch(message, match);
        }

        return head.Value + "(left out: it may hold names)";
    }

    private string CleanMatch(string message, Match match)
    {
        var result = new StringBuilder();
        var at = 0;
        foreach (var group in match.Groups.Values.Where(group => !char.IsAsciiDigit(group.Name[0])).OrderBy(group => group.Index))
        {
            result.Append(message, at, group.Index - at);
            result.Append(Plain.Contains(group.Name) ? group.Value : group.Name == "Reason" ? Without(match, group.Value) : Mark);
            at = group.Index + group.Length;
        }

        return result.Append(message, at, message.Length - at).ToString();
    }

    /// <summary>
    /// Keeps the reason, which is the most useful part, but removes the line's other values from it: it may repeat the name.
    /// </summary>
    private string Without(Match match, string reason)
    {
        foreach (var group in match.Groups.Values.Where(
            group => !char.IsAsciiDigit(group.Name[0]) && group.Name != "Reason" && !Plain.Contains(group.Name) && group.Length > 3))
            reason = reason.Replace(group.Value, Mark, StringComparison.Ordinal);
        return CleanMessage(reason);
    }

    private static Regex[] FindTemplates()
    {
        var methods = AppDomain.CurrentDomain.GetAssemblies()
            .Where(assembly => assembly.GetName().Name is { } name
                && (name == "nzbdav" || name.StartsWith("NzbDav.", StringComparison.Ordinal)))
            .SelectMany(assembly => assembly.GetTypes())
            .SelectMany(type => type.GetMethods(
                BindingFlags.Static | BindingFlags.Instance | BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.DeclaredOnly))
            .Select(method => method.GetCustomAttribute<LoggerMessageAttribute>()?.Message)
            .OfType<string>()
            .Distinct(StringComparer.Ordinal);

        // Longest first, because they are the most specific.
        return [.. methods.OrderByDescending(template => template.Length).Select(template =>
            new Regex(Pattern(template), RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture | RegexOptions.NonBacktracking))];
    }

    private static string Pattern(string template)
    {
        var pattern = new StringBuilder("^");
        var at = 0;
        foreach (Match hole in Hole().Matches(template))
        {
            pattern.Append(Regex.Escape(template[at..hole.Index])).Append("(?<").Append(hole.Groups["name"].Value).Append(">.*?)");
            at = hole.Index + hole.Length;
        }

        return pattern.Append(Regex.Escape(template[at..])).Append('$').ToString();
    }

    [GeneratedRegex(
        @"\{(?<name>\w+)(?::[^}]*)?\}", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Hole();

    [GeneratedRegex(@"^\d{4}-\d\d-\d\dT\S+ \w{3} \[(?<context>[^\]]*)\] ", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: -1)]
    private static partial Regex Head();

    [GeneratedRegex(@"^\s+at [\w.<>`\[\],+|$()&*\s]+(?: in .*)?$|^\s*--- End of ",
        RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Frame();

    [GeneratedRegex(@"^(?<type>\s*(?:---> )?[\w.]+(?:Exception|Error)\b)", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: -1)]
    private static partial Regex ExceptionType();

    [GeneratedRegex("'[^']{2,}'", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Quoted();

    [GeneratedRegex(@"[^\s/\\:""'<>|][^/\\:""'<>|\r\n]*\.(?:mkv|mp4|avi|m4v|ts|m2ts|wmv|mov|mpg|mp3|flac|m4b|epub|pdf|nzb|torrent|rar|r\d\d|7z|zip|par2|iso|srt|sub|idx|nfo|sfv|jpg|exe|\d{3})\b", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex FileName();
}

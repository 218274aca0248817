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

    private static readonly Lazy<MessageTemplate[]> Templates = new(FindTemplates);

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
            if (template.Match(message) is { } holes)
                return head.Value + CleanHoles(message, holes);
        }

        return head.Value + "(left out: it may hold names)";
    }

    private string CleanHoles(string message, List<FilledHole> holes)
    {
        var result = new StringBuilder();
        var at = 0;
        foreach (var hole in holes)
        {
            var value = hole.Of(message);
            result.Append(message, at, hole.Start - at);
            result.Append(Plain.Contains(hole.Name) ? value : hole.Name == "Reason" ? Without(message, holes, value) : Mark);
            at = hole.Start + hole.Length;
        }

        return result.Append(message, at, message.Length - at).ToString();
    }

    /// <summary>
    /// Keeps the reason, which is the most useful part, but removes the line's other values from it: it may repeat the name.
    /// </summary>
    private string Without(string message, List<FilledHole> holes, string reason)
    {
        foreach (var hole in holes.Where(hole => hole.Name != "Reason" && !Plain.Contains(hole.Name) && hole.Length > 3))
            reason = reason.Replace(hole.Of(message), Mark, StringComparison.Ordinal);
        return CleanMessage(reason);
    }

    private static MessageTemplate[] FindTemplates()
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
        return [.. methods.OrderByDescending(template => template.Length).Select(template => new MessageTemplate(template))];
    }

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

/// <summary>
/// A log message's template, such as <c>Imported {Job} in {Seconds} s.</c>, recognised in logged text. Searches for the texts between the
/// holes: non-backtracking regular expressions for some 380 templates would take 200 MB. Immutable.
/// </summary>
internal sealed partial class MessageTemplate
{
    private readonly List<string> _names = [];
    private readonly List<string> _texts = [];

    /// <param name="template">Named holes in braces, with or without a format.</param>
    public MessageTemplate(string template)
    {
        var at = 0;
        foreach (Match hole in Hole().Matches(template))
        {
            _texts.Add(template[at..hole.Index]);
            _names.Add(hole.Groups["name"].Value);
            at = hole.Index + hole.Length;
        }

        _texts.Add(template[at..]);
    }

    /// <summary>
    /// The values in the holes of a message, in order; null if it does not have this template. A hole ends where the next text first
    /// appears, the last one at the last text.
    /// </summary>
    public List<FilledHole>? Match(string message)
    {
        if (!message.StartsWith(_texts[0], StringComparison.Ordinal) || !message.EndsWith(_texts[^1], StringComparison.Ordinal))
            return null;
        var at = _texts[0].Length;
        var end = message.Length - _texts[^1].Length;
        if (_names.Count == 0)
            return message.Length == at ? [] : null;
        List<FilledHole> holes = [];
        for (var i = 0; i < _names.Count; i++)
        {
            var next = i == _names.Count - 1 ? end : message.IndexOf(_texts[i + 1], at, StringComparison.Ordinal);
            if (next < at || next > end)
                return null;
            holes.Add(new FilledHole(_names[i], at, next - at));
            at = next + _texts[i + 1].Length;
        }

        return holes;
    }

    [GeneratedRegex(
        @"\{(?<name>\w+)(?::[^}]*)?\}", RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture, matchTimeoutMilliseconds: -1)]
    private static partial Regex Hole();
}

/// <summary>The value in one hole of a template.</summary>
/// <param name="Name">Name of the hole.</param>
/// <param name="Start">Index in the message.</param>
/// <param name="Length">Number of characters.</param>
internal readonly record struct FilledHole(string Name, int Start, int Length)
{
    /// <summary>The value.</summary>
    public string Of(string message) => message.Substring(Start, Length);
}

using System.Text.RegularExpressions;

namespace NzbDav.Architecture.Tests;

/// <summary>
/// The types that one C# file declares and uses, read from its text. Comments, strings and members after a dot do not count.
/// </summary>
internal sealed partial class SourceFile
{
    private readonly HashSet<string> _usings;
    private readonly string[] _around;

    /// <param name="path">Relative to the root, with forward slashes.</param>
    /// <param name="text">The file's text.</param>
    /// <param name="projectUsings">Namespaces visible in all files of the project without a <c>using</c>.</param>
    public SourceFile(string path, string text, IEnumerable<string> projectUsings)
    {
        Path = path;
        Folder = path[..path.LastIndexOf('/')];
        var code = NotCode().Replace(text, " ");
        Namespace = NamespaceLine().Match(code) is { Success: true } line ? line.Groups[1].Value : "";
        _usings = [.. UsingLine().Matches(code).Select(match => match.Groups[1].Value), .. projectUsings];
        var parts = Namespace.Split('.');
        _around = [.. Enumerable.Range(0, parts.Length + 1).Select(left => string.Join('.', parts[..^left]))];
        Declared = [.. Declaration().Matches(code).Select(match => match.Groups[1].Value)];
        Named = [.. Name().Matches(code).Select(match => match.Value)];
        QualifiesByThis = QualifiedByThis().IsMatch(code);
    }

    public string Path { get; }

    public string Folder { get; }

    public string Namespace { get; }

    public HashSet<string> Declared { get; }

    public HashSet<string> Named { get; }

    /// <summary>True if it writes <c>this.</c> before a member, which the build does not report.</summary>
    public bool QualifiesByThis { get; }

    /// <summary>
    /// How near a namespace is to this file: 0 for its own, then the enclosing ones, then those it uses; null if it is not visible.
    /// </summary>
    public int? DistanceTo(string space)
    {
        var index = Array.IndexOf(_around, space);
        return index >= 0 ? index : _usings.Contains(space) ? _around.Length : null;
    }

    [GeneratedRegex("""//[^\n]*|/\*.*?\*/|@"(?:[^"]|"")*"|\"{3}.*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])'""", RegexOptions.Singleline)]
    private static partial Regex NotCode();

    [GeneratedRegex(@"\bthis\.")]
    private static partial Regex QualifiedByThis();

    [GeneratedRegex(@"^namespace\s+([\w.]+)", RegexOptions.Multiline)]
    private static partial Regex NamespaceLine();

    [GeneratedRegex(@"^\s*(?:global\s+)?using\s+(?:static\s+)?([\w.]+)\s*;", RegexOptions.Multiline)]
    private static partial Regex UsingLine();

    [GeneratedRegex(
        @"^(?:\w+[ \t]+)*(?:class|struct|record|interface|enum|delegate[ \t]+[\w<>?,]+)[ \t]+([A-Z]\w*)", RegexOptions.Multiline)]
    private static partial Regex Declaration();

    // A name before "=" is a property in an initialiser.
    [GeneratedRegex(@"(?<![.\w])[A-Z]\w+\b(?!\s*=(?!=)[^>])")]
    private static partial Regex Name();
}

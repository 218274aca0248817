using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace NzbDav.Architecture.Tests;

/// <summary>Allowed names of folders, and the maximum length and width of a file.</summary>
internal static partial class Naming
{
    /// <summary>A file is one thing. Up to 500 lines is fine; what is longer is several things.</summary>
    public const int MostLines = 600;

    /// <summary>Columns of the longest line: length is not paid in width.</summary>
    public const int MostColumns = 140;

    private static readonly string[] Drawers = [
        "Common", "Core", "Shared", "Helpers", "Helper", "Utils", "Util", "Utilities", "Extensions", "Misc"];

    /// <summary>The fault of a folder's own name; null if it is allowed.</summary>
    /// <param name="path">Relative to the root.</param>
    public static string? FolderViolation(string path)
    {
        var name = path[(path.LastIndexOf('/') + 1)..];
        if (name.Any(c => c == '.' || char.IsDigit(c)))
            return $"{path}: a folder's name has neither dots nor digits.";
        return Drawers.Contains(name, StringComparer.OrdinalIgnoreCase)
            ? $"{path}: name the folder for what it is about, not for being a drawer." : null;
    }

    /// <summary>The fault of a file's length; null if it is allowed.</summary>
    public static string? LengthViolation(string path, string text)
    {
        var lines = text.AsSpan().TrimEnd('\n').Count('\n') + 1;
        return lines > MostLines ? $"{path}: {lines} lines are more than {MostLines}: take a type out." : null;
    }

    /// <summary>The lines of a file that are too wide, with their numbers. What stands in a string does not count.</summary>
    public static IEnumerable<string> WidthViolations(string path, string text) =>
        StringOrComment().Replace(text, static match => match.Value[0] == '/' ? match.Value : new string('\n', match.Value.Count('\n')))
            .Split('\n')
            .Select(static (line, index) => (line.Length, Number: index + 1))
            .Where(static line => line.Length > MostColumns)
            .Select(line => $"{path}({line.Number}): {line.Length} columns are more than {MostColumns}.");

    /// <summary>The fault of a file's namespace; null if it follows its folder, or the file has none.</summary>
    /// <param name="file">A file of the project.</param>
    /// <param name="projectPath">The project file, relative to the root.</param>
    /// <param name="project">The text of the project file, which may set another root namespace than its own name.</param>
    public static string? NamespaceViolation(SourceFile file, string projectPath, string project)
    {
        var folder = projectPath[..projectPath.LastIndexOf('/')];
        var root = XDocument.Parse(project).Descendants("RootNamespace").FirstOrDefault()?.Value
            ?? projectPath[(folder.Length + 1)..^".csproj".Length];
        var expected = root + file.Folder[folder.Length..].Replace('/', '.');
        return file.Namespace.Length == 0 || file.Namespace == expected
            ? null : $"{file.Path}: the namespace is {file.Namespace}, the folder says {expected}.";
    }

    [GeneratedRegex(
        """//[^\n]*|/\*.*?\*/|@"(?:[^"]|"")*"|\"{3}.*?\"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])'""", RegexOptions.Singleline)]
    private static partial Regex StringOrComment();
}

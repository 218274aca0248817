namespace NzbDav.Architecture.Tests;

/// <summary>What folders may be called and how long a file may be.</summary>
internal static class Naming
{
    /// <summary>A file should be read in one sitting.</summary>
    public const int MostLines = 500;

    private static readonly string[] Drawers = ["Common", "Core", "Shared", "Helpers", "Helper", "Utils", "Util", "Utilities", "Extensions", "Misc"];

    /// <summary>What is wrong with a folder's own name; null if nothing is.</summary>
    /// <param name="path">Relative to the root.</param>
    public static string? FolderViolation(string path)
    {
        var name = path[(path.LastIndexOf('/') + 1)..];
        if (name.Any(c => c == '.' || char.IsDigit(c)))
            return $"{path}: a folder's name has neither dots nor digits.";
        return Drawers.Contains(name, StringComparer.OrdinalIgnoreCase) ? $"{path}: name the folder for what it is about, not for being a drawer." : null;
    }

    /// <summary>What is wrong with a file's length; null if nothing is.</summary>
    public static string? LengthViolation(string path, string text)
    {
        var lines = text.AsSpan().TrimEnd('\n').Count('\n') + 1;
        return lines > MostLines ? $"{path}: {lines} lines are more than {MostLines}: take a type out." : null;
    }
}

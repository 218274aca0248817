namespace NzbDav.Host.About;

/// <summary>The changes in <c>CHANGELOG.md</c> (Keep a Changelog): a heading <c>## [VERSION] - DATE</c> for each version, and a list item
/// for each change.</summary>
internal static class Changes
{
    /// <summary>Latest version first, as in the file.</summary>
    public static IReadOnlyList<ChangesBody> All { get; } = Read(Resource.Text("changes.md"));

    /// <summary>Parses such a file. A list item may span several lines.</summary>
    internal static IReadOnlyList<ChangesBody> Read(string text)
    {
        var versions = new List<ChangesBody>();
        List<string>? points = null;
        foreach (var line in text.Split('\n').Select(line => line.TrimEnd('\r', ' ')))
        {
            if (line.StartsWith("## ", StringComparison.Ordinal))
            {
                var (version, date) = line[3..].Split(" - ", 2) is [var name, var rest] ? (name, rest.Trim()) : (line[3..], null);
                points = [];
                versions.Add(new ChangesBody(version.Trim().Trim('[', ']'), date, points));
            }
            else if (points is not null && line.StartsWith("- ", StringComparison.Ordinal))
            {
                points.Add(line[2..].Trim());
            }
            else if (points is { Count: > 0 } && line.StartsWith("  ", StringComparison.Ordinal))
            {
                points[^1] += " " + line.Trim();
            }
        }

        return versions;
    }
}

/// <summary>The changes of one version.</summary>
/// <param name="Version">The version.</param>
/// <param name="Date">Release date, <c>2026-01-31</c>; null: not released yet.</param>
/// <param name="Points">The changes, one sentence each.</param>
internal sealed record ChangesBody(string Version, string? Date, IReadOnlyList<string> Points);

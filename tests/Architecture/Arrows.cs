using System.Xml.Linq;

namespace NzbDav.Architecture.Tests;

/// <summary>Which project may reference which; docs/architecture.md lists the same in "Projects". A new reference is a design decision, so
/// it has to be added here too.</summary>
internal static class Arrows
{
    private static readonly string[] Mocks = ["MockUsenet", "MockSwarm", "NzbDav.Mocks"];

    /// <summary>Allowed references, by the folder of the project file.</summary>
    public static IReadOnlyDictionary<string, string[]> Allowed { get; } = new Dictionary<string, string[]>(StringComparer.Ordinal)
    {
        ["backend/Content"] = [],
        ["backend/Usenet"] = ["backend/Content"],
        ["backend/Archives"] = ["backend/Content"],
        ["backend/Torrents"] = ["backend/Content"],
        ["backend/Catalog"] = ["backend/Content"],
        ["backend/WebDav"] = ["backend/Content"],
        ["backend/Mount"] = ["backend/Content", "backend/WebDav"],
        ["backend/Seeding"] = ["backend/Content", "backend/Torrents", "backend/Catalog"],
        ["backend/Arr"] = [],
        ["backend/Access"] = ["backend/Catalog", "backend/Content"],
        ["backend/Library"] = [
            "backend/Content", "backend/Usenet", "backend/Archives", "backend/Torrents", "backend/Catalog", "backend/WebDav"],
        ["backend/Import"] = ["backend/Content", "backend/Usenet", "backend/Archives", "backend/Torrents", "backend/Catalog"],
        ["backend/Migration"] = ["backend/Catalog"],
        ["backend/Api"] = ["backend/Access", "backend/Content", "backend/Catalog", "backend/Library", "backend/Import", "backend/Seeding",
            "backend/Torrents", "backend/Usenet", "backend/WebDav"],

        // The host references everything; the mock servers are for its demo, the testers for its command line.
        ["backend"] =
        [
            "backend/Content", "backend/Usenet", "backend/Archives", "backend/Torrents", "backend/Catalog", "backend/WebDav",
            "backend/Library", "backend/Import", "backend/Api", "backend/Access", "backend/Arr", "backend/Seeding", "backend/Migration",
            "backend/Mount",
            "tools/MockUsenet", "tools/FullNzbTester",
            "tools/MockSwarm", "tools/TorrentTester",
        ],
        ["tools/Mocks"] = [],
        ["tools/MockUsenet"] = ["tools/Mocks"],
        ["tools/MockSwarm"] = ["tools/Mocks"],
        ["tools/TorrentTester"] = ["backend/Content", "backend/Torrents", "tools/MockSwarm"],
        ["tools/FullNzbTester"] = ["backend/Content", "backend/Usenet", "tools/MockUsenet"],
        ["tools/Fuzz"] =
        [
            "backend/Access", "backend/Api", "backend/Archives", "backend/Catalog", "backend/Content", "backend/Import", "backend/Library",
            "backend/Migration", "backend/Torrents", "backend/Usenet",
            "backend/WebDav",
        ],
        ["tools/Bench"] = ["backend/Content", "backend/Usenet", "backend/Archives", "backend/Torrents", "backend/Catalog", "backend/WebDav",
            "tools/MockUsenet"],
    };

    /// <summary>All forbidden references of one project, as messages.</summary>
    /// <param name="path">The project file, relative to the root.</param>
    /// <param name="xml">Its text.</param>
    public static IEnumerable<string> Violations(string path, string xml)
    {
        var folder = Folder(path);
        if (!Allowed.TryGetValue(folder, out var allowed))
        {
            yield return $"{path}: nobody has decided what this project may refer to.";
            yield break;
        }

        foreach (var reference in References(xml))
        {
            var target = Folder(Resolve(folder, reference));
            if (!allowed.Contains(target, StringComparer.Ordinal))
                yield return $"{path}: must not refer to {target}.";
        }
    }

    private static IEnumerable<string> References(string xml) => XDocument.Parse(xml)
        .Descendants()
        .Where(element => element.Name.LocalName is "ProjectReference" or "Reference")
        .SelectMany(element => (element.Attribute("Include")?.Value ?? string.Empty)
            .Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries));

    private static string Folder(string path) => path[..Math.Max(0, path.LastIndexOf('/'))];

    private static string Resolve(string folder, string reference)
    {
        var parts = folder.Split('/').ToList();
        foreach (var part in reference.Replace('\\', '/').Split('/'))
        {
            if (part == "..")
                parts.RemoveAt(parts.Count - 1);
            else if (part != ".")
                parts.Add(part);
        }

        return string.Join('/', parts);
    }

    /// <summary>What is wrong with a file of the backend that uses a mock outside the demo; null for nothing.</summary>
    public static string? MockViolation(string path, string text) =>
        path.StartsWith("backend/", StringComparison.Ordinal) && !path.StartsWith("backend/Host/Demo/", StringComparison.Ordinal)
        && Array.Exists(Mocks, mock => text.Contains(mock, StringComparison.Ordinal))
            ? $"{path} uses a mock: only backend/Host/Demo may" : null;
}

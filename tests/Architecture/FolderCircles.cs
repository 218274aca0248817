namespace NzbDav.Architecture.Tests;

/// <summary>Finds folders that name each other's types in a circle.</summary>
internal static class FolderCircles
{
    /// <summary>Circles that stand today, one per row. The list only shrinks: a circle that is gone or smaller is taken out.</summary>
    public static IReadOnlyList<string> Known { get; } =
    [
        "backend/Api/Sab backend/Api/Sab/Adding backend/Api/Sab/Answers backend/Api/Sab/History backend/Api/Sab/Queue backend/Api/Sab/Status",
        "backend/Catalog/Backup backend/Catalog/Blobs backend/Catalog/Database",
        "backend/Catalog/Jobs backend/Catalog/Tree",
        "backend/Host/Arrs backend/Host/Logging backend/Host/Serving backend/Host/Settings backend/Host/Telemetry backend/Host/Warming",
        "backend/Import backend/Import/Intake backend/Import/Names backend/Import/Queue backend/Import/Steps",
        "backend/Library backend/Library/Drop backend/Library/Links backend/Library/Scratch",
        "backend/Usenet backend/Usenet/Articles backend/Usenet/Nntp backend/Usenet/Providers",
        "backend/WebDav backend/WebDav/Access backend/WebDav/Files backend/WebDav/Locks backend/WebDav/Methods backend/WebDav/Properties backend/WebDav/Store backend/WebDav/View",
    ];

    /// <summary>The circles among these files' folders: each as its folders in order, separated by spaces.</summary>
    public static IReadOnlyList<string> Of(IReadOnlyCollection<SourceFile> files)
    {
        var arrows = Arrows(files);
        var reach = arrows.Keys.ToDictionary(folder => folder, folder => Reach(folder, arrows), StringComparer.Ordinal);
        return [.. arrows.Keys
            .Select(folder => reach[folder].Where(other => reach[other].Contains(folder)).Order(StringComparer.Ordinal).ToArray())
            .Where(circle => circle.Length > 1)
            .Select(circle => string.Join(' ', circle))
            .Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal)];
    }

    /// <summary>What differs between the circles that are known and those that are there, in words.</summary>
    public static IEnumerable<string> Violations(IReadOnlyList<string> known, IReadOnlyList<string> found)
    {
        foreach (var circle in found.Except(known, StringComparer.Ordinal))
            yield return $"New circle, or one that grew: {circle}. Move what these folders share below them.";
        foreach (var circle in known.Except(found, StringComparer.Ordinal))
            yield return $"This circle is gone or smaller: {circle}. Take it out of the list.";
    }

    private static Dictionary<string, HashSet<string>> Arrows(IReadOnlyCollection<SourceFile> files)
    {
        var owners = files
            .SelectMany(file => file.Declared.Select(name => (name, file)))
            .ToLookup(pair => pair.name, pair => pair.file, StringComparer.Ordinal);
        var arrows = files.Select(file => file.Folder).Distinct(StringComparer.Ordinal)
            .ToDictionary(folder => folder, _ => new HashSet<string>(StringComparer.Ordinal), StringComparer.Ordinal);
        foreach (var file in files)
        {
            foreach (var owner in file.Named.Select(name => Owner(file, owners[name])).OfType<SourceFile>())
                arrows[file.Folder].Add(owner.Folder);
        }

        return arrows;
    }

    /// <summary>The file whose type a name means: the nearest that the file sees; null if none, or if two that it uses have one of that name.</summary>
    private static SourceFile? Owner(SourceFile file, IEnumerable<SourceFile> owners)
    {
        var nearest = owners
            .Select(owner => (owner, distance: file.DistanceTo(owner.Namespace)))
            .Where(pair => pair.distance is not null)
            .GroupBy(pair => pair.distance!.Value)
            .MinBy(group => group.Key);
        return nearest?.Select(pair => pair.owner.Namespace).Distinct(StringComparer.Ordinal).Count() == 1 ? nearest.First().owner : null;
    }

    private static HashSet<string> Reach(string from, Dictionary<string, HashSet<string>> arrows)
    {
        var reached = new HashSet<string>(StringComparer.Ordinal);
        var open = new Stack<string>([from]);
        while (open.TryPop(out var folder))
        {
            foreach (var next in arrows[folder])
            {
                if (reached.Add(next))
                    open.Push(next);
            }
        }

        return reached;
    }
}

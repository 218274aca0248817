namespace NzbDav.Architecture.Tests;

/// <summary>Finds folders that use each other's types in a circle.</summary>
internal static class Circles
{
    /// <summary>Circles among the folders of these files: each as its sorted folders, separated by spaces.</summary>
    public static IReadOnlyList<string> OfFolders(IReadOnlyCollection<SourceFile> files)
    {
        var arrows = Arrows(files);
        var reach = arrows.Keys.ToDictionary(one => one, one => Reach(one, arrows), StringComparer.Ordinal);
        return [.. arrows.Keys
            .Select(one => reach[one].Where(other => reach[other].Contains(one)).Order(StringComparer.Ordinal).ToArray())
            .Where(circle => circle.Length > 1)
            .Select(circle => string.Join(' ', circle))
            .Distinct(StringComparer.Ordinal)
            .Order(StringComparer.Ordinal)];
    }

    private static Dictionary<string, HashSet<string>> Arrows(IReadOnlyCollection<SourceFile> files)
    {
        var owners = files
            .SelectMany(file => file.Declared.Select(name => (name, file)))
            .ToLookup(pair => pair.name, pair => pair.file, StringComparer.Ordinal);
        var arrows = files.Select(static file => file.Folder).Distinct(StringComparer.Ordinal)
            .ToDictionary(one => one, _ => new HashSet<string>(StringComparer.Ordinal), StringComparer.Ordinal);
        foreach (var file in files)
        {
            foreach (var owner in file.Named.Select(name => Owner(file, owners[name])).OfType<SourceFile>())
                arrows[file.Folder].Add(owner.Folder);
        }

        return arrows;
    }

    /// <summary>
    /// The file that declares the type a name refers to: the nearest one visible from the file; null if there is none, or if two that it
    /// uses declare that name.
    /// </summary>
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
        while (open.TryPop(out var one))
        {
            foreach (var next in arrows[one])
            {
                if (reached.Add(next))
                    open.Push(next);
            }
        }

        return reached;
    }
}

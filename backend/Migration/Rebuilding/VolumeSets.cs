namespace NzbDav.Migration.Rebuilding;

/// <summary>
/// Finds which files lie in the same archive, and the order of its volumes: each file gives the order of its own volumes.
/// </summary>
internal static class VolumeSets
{
    /// <summary>The archives of a release.</summary>
    public static List<VolumeSet> Of(IReadOnlyList<(string Name, FileLayout Layout)> files)
    {
        // A volume is identified by its first article.
        var owners = new Dictionary<string, int>(StringComparer.Ordinal);
        var sets = Enumerable.Range(0, files.Count).ToArray();
        for (var i = 0; i < files.Count; i++)
        {
            foreach (var part in files[i].Layout.Parts)
            {
                if (!owners.TryAdd(part.Articles[0], i))
                    Join(sets, Root(sets, owners[part.Articles[0]]), Root(sets, i));
            }
        }

        return [.. Enumerable.Range(0, files.Count)
            .GroupBy(i => Root(sets, i))
            .Select(group => Order([.. group.Select(i => files[i])]))];
    }

    /// <summary>
    /// Orders the volumes: a file that begins in the volume in which another file ends comes after that file. Volumes whose order no file
    /// gives stay in the order in which they were found.
    /// </summary>
    private static VolumeSet Order(List<(string Name, FileLayout Layout)> files)
    {
        var parts = new Dictionary<string, PostPart>(StringComparer.Ordinal);
        var after = new Dictionary<string, HashSet<string>>(StringComparer.Ordinal);
        var before = new Dictionary<string, int>(StringComparer.Ordinal);
        var found = new List<string>();
        foreach (var (_, layout) in files)
        {
            string? last = null;
            foreach (var part in layout.Parts)
            {
                var key = part.Articles[0];
                if (parts.TryAdd(key, part))
                {
                    found.Add(key);
                    after[key] = new HashSet<string>(StringComparer.Ordinal);
                    before[key] = 0;
                }

                if (last is not null && last != key && after[last].Add(key))
                    before[key]++;
                last = key;
            }
        }

        var ready = new Queue<string>(found.Where(key => before[key] == 0));
        var order = new List<PostPart>(found.Count);
        while (ready.TryDequeue(out var key))
        {
            order.Add(parts[key]);
            foreach (var next in after[key].Where(next => --before[next] == 0))
                ready.Enqueue(next);
        }

        // The files contradict each other: use the order in which the volumes were found, so that the importer can judge by the headers.
        if (order.Count < found.Count)
            order = [.. found.Select(key => parts[key])];
        return new VolumeSet(files[0].Name, files.MaxBy(file => file.Layout.Parts.Count).Layout, order);
    }

    private static int Root(int[] sets, int at)
    {
        while (sets[at] != at)
            at = sets[at] = sets[sets[at]];
        return at;
    }

    private static void Join(int[] sets, int one, int other) => sets[Math.Max(one, other)] = Math.Min(one, other);
}

/// <summary>The volumes of one archive, or the pieces of one file.</summary>
/// <param name="Name">Name of a file in it.</param>
/// <param name="Layout">Layout of the file with the most volumes.</param>
/// <param name="Volumes">The volumes in order.</param>
internal sealed record VolumeSet(string Name, FileLayout Layout, IReadOnlyList<PostPart> Volumes);

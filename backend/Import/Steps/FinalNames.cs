namespace NzbDav.Import;

/// <summary>
/// The last word on names, when it is known what is inside the archives: extensions by the files' own bytes, the job's name where a name is noise,
/// a number where a name is taken.
/// </summary>
internal static class FinalNames
{
    /// <returns>The files in their order, no two with the same path without regard to case, none of them in the way of another's folder.</returns>
    public static IReadOnlyList<ContentFile> Run(string job, IReadOnlyList<ContentFile> files)
    {
        var named = files.Select(WithExtension).ToArray();
        Deobfuscate(job, named);
        var paths = Distinct([.. named.Select(file => file.Path)]);
        return [.. named.Select((file, i) => file with { Path = paths[i] })];
    }

    /// <summary>The paths in their order, each with a number where it is taken or in the way of a folder; folders that differ by case only become one.</summary>
    public static IReadOnlyList<IReadOnlyList<string>> Distinct(IReadOnlyList<IReadOnlyList<string>> paths)
    {
        var folders = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        foreach (var path in paths)
        {
            for (var depth = 1; depth < path.Count; depth++)
                folders.Add(Key(path.Take(depth)));
        }

        var taken = new HashSet<string>(folders, StringComparer.OrdinalIgnoreCase);
        var distinct = new IReadOnlyList<string>[paths.Count];
        for (var i = 0; i < distinct.Length; i++)
        {
            var path = paths[i];
            for (var number = 2; !taken.Add(Key(path)); number++)
                path = [.. paths[i].SkipLast(1), SafeName.WithNumber(paths[i][^1], number)];
            distinct[i] = path;
        }

        return SameCase(distinct);
    }

    private static string Key(IEnumerable<string> path) => string.Join('/', path);

    private static ContentFile WithExtension(ContentFile file) => Renamed(file, FileExtension.Correct(file.Name, file.Type, file.Extension));

    private static ContentFile Renamed(ContentFile file, string name) => file with { Path = [.. file.Path.SkipLast(1), name] };

    /// <summary>The biggest file, if its name is noise, is called what the job is called, and with it whatever shares its stem: subtitles, pictures.</summary>
    private static void Deobfuscate(string job, ContentFile[] files)
    {
        if (files.Length == 0 || NoiseName.Is(job))
            return;
        var biggest = files.MaxBy(file => file.Size)!;
        if (!NoiseName.Is(biggest.Name))
            return;
        var stem = StemOf(biggest.Name);
        var depth = biggest.Path.Count - 1;
        for (var i = 0; i < files.Length; i++)
        {
            if (ReferenceEquals(files[i], biggest))
                files[i] = Renamed(files[i], SafeName.WithSuffix(job, ExtensionOf(files[i].Name)));
            else if (stem.Length > 0 && files[i].Name.StartsWith(stem, StringComparison.OrdinalIgnoreCase) && files[i].Name.Length > stem.Length && files[i].Name[stem.Length] is '.' or '-' or '_' or ' ')
                files[i] = Renamed(files[i], SafeName.WithSuffix(job, files[i].Name[stem.Length..]));
            else if (files[i].Path.Count > depth + 1 && IsFolderOf(files[i].Path[depth], biggest, stem) && files[i].Path.Take(depth).SequenceEqual(biggest.Path.Take(depth), StringComparer.OrdinalIgnoreCase))
                files[i] = files[i] with { Path = [.. files[i].Path.Take(depth), SafeName.WithSuffix(job, ""), .. files[i].Path.Skip(depth + 1)] };
        }
    }

    /// <summary>The folder with what is inside a disc image.</summary>
    private static bool IsFolderOf(string folder, ContentFile image, string stem) => image.Type == FileType.Disc && string.Equals(folder, stem, StringComparison.OrdinalIgnoreCase);

    private static string StemOf(string name) => name[..^ExtensionOf(name).Length];

    private static string ExtensionOf(string name) => FileExtension.IsUsual(name) ? FileExtension.Of(name) : "";

    /// <summary>Folders that differ by case only would be two on Linux and one everywhere else: the first spelling stands for all.</summary>
    private static IReadOnlyList<string>[] SameCase(IReadOnlyList<string>[] paths)
    {
        var spelling = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        for (var i = 0; i < paths.Length; i++)
        {
            if (paths[i].Count == 1)
                continue;
            var path = paths[i].ToArray();
            for (var depth = 0; depth < path.Length - 1; depth++)
            {
                var key = Key(path.Take(depth + 1));
                if (!spelling.TryAdd(key, path[depth]))
                    path[depth] = spelling[key];
            }

            paths[i] = path;
        }

        return paths;
    }
}

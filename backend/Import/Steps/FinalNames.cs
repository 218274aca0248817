using NzbDav.Catalog.Jobs;
using NzbDav.Import.Names;

namespace NzbDav.Import.Steps;

/// <summary>
/// Chooses the final names once the content of the archives is known: extensions by the files' own bytes, the names of sets where several
/// files have one name, the job's name in place of random names, and a number after names that are taken.
/// </summary>
internal static class FinalNames
{
    /// <returns>The files in their order. No two have paths that differ only by case, and no file has the path of another's
    /// folder.</returns>
    public static IReadOnlyList<ContentFile> Run(string job, IReadOnlyList<ContentFile> files)
    {
        var named = files.Select(WithExtension).ToArray();
        NameBySets(named);
        Deobfuscate(job, named);
        var paths = Distinct([.. named.Select(file => file.Path)]);
        return [.. named.Select((file, i) => file with { Path = paths[i] })];
    }

    /// <summary>
    /// The paths in their order. A path that is taken, or is that of a folder, gets a number. Folders that differ only by case become one.
    /// </summary>
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

    /// <summary>
    /// The last step of every import before publication: no file keeps a name that makes programs open an address in it
    /// (<see cref="SafeName.MakeInert"/>). The patterns of the settings were applied to the posted names before.
    /// </summary>
    public static JobPublication MakeInert(JobPublication publication)
    {
        var inert = publication.Files.Select(
            static IReadOnlyList<string> (file) => [.. file.Path.SkipLast(1), SafeName.MakeInert(file.Path[^1])]);
        var paths = Distinct([.. inert]);
        return publication with { Files = [.. publication.Files.Select((file, i) => file with { Path = paths[i] })] };
    }

    /// <summary>
    /// If several archives have a file with the same path, such as <c>video.mkv</c> in the archive of each episode, the files get the names
    /// of their sets. An archive that also has files with other names becomes a folder of that name.
    /// </summary>
    private static void NameBySets(ContentFile[] files)
    {
        var shared = files.Where(file => file.Archive is not null).GroupBy(file => Key(file.Path), StringComparer.OrdinalIgnoreCase)
            .Where(same => same.DistinctBy(file => file.Archive, StringComparer.OrdinalIgnoreCase).Skip(1).Any())
            .SelectMany(same => same).ToLookup(file => file.Archive!, StringComparer.OrdinalIgnoreCase);
        foreach (var set in shared)
        {
            if (SafeName.Of(set.Key) is not { } name || RandomName.Is(name))
                continue;
            var inside = Enumerable.Range(0, files.Length)
                .Where(index => string.Equals(files[index].Archive, set.Key, StringComparison.OrdinalIgnoreCase)).ToArray();
            var stem = StemOf(set.First().Name);
            var isOne = stem.Length > 0 && inside.All(index => files[index].Path.Count == 1 && IsOf(files[index].Name, stem))
                && inside.Count(index => files[index].Type == FileType.Video) <= 1;
            foreach (var index in inside)
            {
                files[index] = isOne
                    ? Renamed(files[index], SafeName.WithSuffix(name, files[index].Name[stem.Length..]))
                    : files[index] with { Path = [name, .. files[index].Path] };
            }
        }
    }

    /// <summary>True for the file with this stem and for files that belong to it: subtitles, pictures.</summary>
    private static bool IsOf(string name, string stem) =>
        name.StartsWith(stem, StringComparison.OrdinalIgnoreCase)
            && (name.Length == stem.Length || name[stem.Length] is '.' or '-' or '_' or ' ');

    private static string Key(IEnumerable<string> path) => string.Join('/', path);

    private static ContentFile WithExtension(ContentFile file) =>
        Renamed(file, FileExtension.Correct(file.Name, file.Type, file.Extension));

    private static ContentFile Renamed(ContentFile file, string name) => file with { Path = [.. file.Path.SkipLast(1), name] };

    /// <summary>
    /// If the biggest file has a random name, it gets the job's name. So do the files that share its stem, such as subtitles and pictures.
    /// </summary>
    private static void Deobfuscate(string job, ContentFile[] files)
    {
        if (files.Length == 0 || RandomName.Is(job))
            return;
        var biggest = files.MaxBy(file => file.Size)!;
        if (!RandomName.Is(biggest.Name))
            return;
        var stem = StemOf(biggest.Name);
        var depth = biggest.Path.Count - 1;
        for (var i = 0; i < files.Length; i++)
        {
            if (ReferenceEquals(files[i], biggest))
                files[i] = Renamed(files[i], SafeName.WithSuffix(job, ExtensionOf(files[i].Name)));
            else if (stem.Length > 0 && files[i].Name.Length > stem.Length && IsOf(files[i].Name, stem))
                files[i] = Renamed(files[i], SafeName.WithSuffix(job, files[i].Name[stem.Length..]));
            else if (files[i].Path.Count > depth + 1 && IsFolderOf(files[i].Path[depth], biggest, stem)
                && files[i].Path.Take(depth).SequenceEqual(biggest.Path.Take(depth), StringComparer.OrdinalIgnoreCase))
                files[i] = files[i]
                    with
                { Path = [.. files[i].Path.Take(depth), SafeName.WithSuffix(job, ""), .. files[i].Path.Skip(depth + 1)] };
        }
    }

    /// <summary>True for the folder that holds the files of a disc image.</summary>
    private static bool IsFolderOf(string folder, ContentFile image, string stem) =>
        image.Type == FileType.Disc && string.Equals(folder, stem, StringComparison.OrdinalIgnoreCase);

    private static string StemOf(string name) => name[..^ExtensionOf(name).Length];

    private static string ExtensionOf(string name) => FileExtension.IsUsual(name) ? FileExtension.Of(name) : "";

    /// <summary>
    /// Gives folders that differ only by case the first spelling. They would be two folders on Linux and one on other systems.
    /// </summary>
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

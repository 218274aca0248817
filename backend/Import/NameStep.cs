namespace NzbDav.Import;

/// <summary>Gives each file its name: what its articles say, else what the subject says, else the job's name and a number.</summary>
internal static class NameStep
{
    /// <returns>Names in the order of the files, all different without regard to case.</returns>
    public static IReadOnlyList<string> Run(string job, IReadOnlyList<ProbedFile> files)
    {
        var taken = new HashSet<string>(StringComparer.OrdinalIgnoreCase);
        var names = new string[files.Count];
        for (var i = 0; i < names.Length; i++)
        {
            var name = Choose(job, files[i], i);
            var free = name;
            for (var number = 2; !taken.Add(free); number++)
                free = SafeName.WithNumber(name, number);
            names[i] = free;
        }

        return names;
    }

    private static string Choose(string job, ProbedFile file, int index)
    {
        var said = SafeName.Of(file.Header.Name);
        var subject = SafeName.Of(file.Posted.FileName);
        if (HasExtension(said))
            return said!;
        return HasExtension(subject) ? subject! : said ?? subject ?? SafeName.WithNumber(job, index + 1);
    }

    private static bool HasExtension(string? name) => name is not null && Path.GetExtension(name) is { Length: > 1 and <= 12 };
}

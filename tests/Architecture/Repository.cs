namespace NzbDav.Architecture.Tests;

/// <summary>The files of the repository that this assembly was built in.</summary>
internal static class Repository
{
    private static readonly string[] NotSource = ["bin", "obj", "node_modules", "artifacts", "TestResults", "dist", "wwwroot"];

    /// <summary>The folder that holds the solution, found upwards from the assembly.</summary>
    public static string Root { get; } = FindRoot(AppContext.BaseDirectory);

    /// <summary>Paths relative to the root, with forward slashes.</summary>
    /// <param name="folders">Top folders to look in; missing ones count as empty.</param>
    public static IEnumerable<string> Folders(params string[] folders) =>
        folders.SelectMany(folder => Walk(new DirectoryInfo(Path.Combine(Root, folder)))).Select(Relative);

    /// <summary>Paths relative to the root, with forward slashes.</summary>
    public static IEnumerable<string> Files(string pattern, params string[] folders) => folders
        .SelectMany(folder => Walk(new DirectoryInfo(Path.Combine(Root, folder))))
        .SelectMany(folder => folder.EnumerateFiles(pattern))
        .Select(Relative);

    public static string Read(string path) => File.ReadAllText(Path.Combine(Root, path));

    internal static string FindRoot(string from)
    {
        for (var folder = new DirectoryInfo(from); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "NzbDav.sln")))
                return folder.FullName;
        }

        throw new DirectoryNotFoundException($"There is no NzbDav.sln above {from}.");
    }

    private static IEnumerable<DirectoryInfo> Walk(DirectoryInfo folder)
    {
        if (!folder.Exists || NotSource.Contains(folder.Name, StringComparer.OrdinalIgnoreCase) || folder.Name.StartsWith('.'))
            return [];
        return folder.EnumerateDirectories().SelectMany(Walk).Prepend(folder);
    }

    private static string Relative(FileSystemInfo entry) => Path.GetRelativePath(Root, entry.FullName).Replace('\\', '/');
}

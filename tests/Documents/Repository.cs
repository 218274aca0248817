namespace NzbDav.Documents.Tests;

/// <summary>The repository that this assembly was built in.</summary>
internal static class Repository
{
    private static readonly string[] NotSource = ["bin", "obj", "node_modules", "artifacts", "TestResults", "dist"];

    /// <summary>The folder that holds the solution.</summary>
    public static string Root { get; } = FindRoot();

    /// <summary>All Markdown pages.</summary>
    public static IReadOnlyList<Page> Pages { get; } = [.. Walk(new DirectoryInfo(Root))
        .SelectMany(folder => folder.EnumerateFiles("*.md"))
        .Select(file => new Page(Path.GetRelativePath(Root, file.FullName).Replace('\\', '/'), File.ReadAllText(file.FullName)))
        .OrderBy(page => page.Path, StringComparer.Ordinal)];

    /// <summary>The texts of the sources of server and page.</summary>
    public static IEnumerable<string> Sources() => Sources("backend", "frontend/src", "tools/FullNzbTester");

    /// <summary>The texts of the sources in some folders.</summary>
    public static IEnumerable<string> Sources(params string[] folders) => folders
        .SelectMany(folder => Walk(new DirectoryInfo(Path.Combine(Root, folder))))
        .SelectMany(folder => folder.EnumerateFiles())
        .Where(file => file.Extension is ".cs" or ".ts" or ".tsx")
        .Select(file => File.ReadAllText(file.FullName));

    /// <param name="path">Relative to the root.</param>
    public static bool Exists(string path) => Path.Exists(Path.Combine(Root, path));

    private static IEnumerable<DirectoryInfo> Walk(DirectoryInfo folder) => folder.EnumerateDirectories()
        .Where(inner => !NotSource.Contains(inner.Name, StringComparer.Ordinal) && !inner.Name.StartsWith('.') && inner.LinkTarget is null)
        .SelectMany(Walk).Prepend(folder);

    private static string FindRoot()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder!.FullName, "NzbDav.sln")))
            folder = folder.Parent;
        return folder.FullName;
    }
}

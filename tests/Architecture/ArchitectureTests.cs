using System.Xml.Linq;

namespace NzbDav.Architecture.Tests;

/// <summary>The checks on this repository. That they can fail is shown by <see cref="ChecksCanFailTests"/>.</summary>
public sealed class ArchitectureTests
{
    private static readonly string[] Everything = ["backend", "tools", "tests"];

    private static readonly string[] ProjectFiles = [.. Repository.Files("*.csproj", "backend", "tools")];

    [Fact]
    public void Projects_refer_only_to_what_the_design_allows()
    {
        var projects = Repository.Files("*.csproj", "backend", "tools").ToArray();

        Assert.Contains("backend/Content/NzbDav.Content.csproj", projects);
        Assert.Contains("backend/NzbDav.csproj", projects);
        Assert.Empty(projects.SelectMany(path => Arrows.Violations(path, Repository.Read(path))));
    }

    [Fact]
    public void Folders_are_named_for_features()
    {
        var folders = Repository.Folders(Everything).ToArray();

        Assert.Contains("backend/Usenet", folders);
        Assert.Empty(folders.Select(Naming.FolderViolation).OfType<string>());
    }

    [Fact]
    public void Files_can_be_read_in_one_sitting()
    {
        var files = Repository.Files("*.cs", Everything).ToArray();

        Assert.Contains("backend/Content/IContent.cs", files);
        Assert.Empty(files.Select(path => Naming.LengthViolation(path, Repository.Read(path))).OfType<string>());
    }

    [Fact]
    public void Folders_name_each_other_in_no_circle_but_those_that_are_known()
    {
        var files = Repository.Files("*.cs", "backend", "tools").Select(path => new SourceFile(path, Repository.Read(path), ProjectUsings(path))).ToArray();

        Assert.Contains(files, file => file.Path == "backend/Content/IContent.cs" && file.Declared.Contains("IContent"));
        var violations = FolderCircles.Violations(FolderCircles.Known, FolderCircles.Of(files)).ToArray();
        Assert.True(violations.Length == 0, string.Join('\n', violations));
    }

    [Fact]
    public void The_image_is_built_with_the_documents_that_the_program_embeds()
    {
        var ignore = Repository.Read(".dockerignore").Split('\n');
        var embedded = XDocument.Parse(Repository.Read("backend/NzbDav.csproj")).Descendants("EmbeddedResource")
            .Select(element => element.Attribute("Include")!.Value)
            .Where(path => path.StartsWith("../", StringComparison.Ordinal))
            .Select(path => path[3..])
            .ToArray();

        Assert.Contains("*.md", ignore);
        Assert.Contains("CHANGELOG.md", embedded);
        Assert.All(embedded, path => Assert.Contains("!" + path, ignore));
    }

    /// <summary>Namespaces that a project file gives to all its files.</summary>
    private static IEnumerable<string> ProjectUsings(string path) => ProjectFiles
        .Where(project => path.StartsWith(project[..(project.LastIndexOf('/') + 1)], StringComparison.Ordinal))
        .SelectMany(project => XDocument.Parse(Repository.Read(project)).Descendants("Using"))
        .Select(element => element.Attribute("Include")?.Value)
        .OfType<string>();
}

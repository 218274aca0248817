namespace NzbDav.Architecture.Tests;

/// <summary>The checks on this repository. That they can fail is shown by <see cref="ChecksCanFailTests"/>.</summary>
public sealed class ArchitectureTests
{
    private static readonly string[] Everything = ["backend", "tools", "tests"];

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
}

namespace NzbDav.Architecture.Tests;

/// <summary>Each check is given something made up that it must refuse, and something that it must let pass.</summary>
public sealed class ChecksCanFailTests
{
    [Theory]
    [InlineData("backend/Content/NzbDav.Content.csproj", "../Usenet/NzbDav.Usenet.csproj", "backend/Usenet")]
    [InlineData("backend/Usenet/NzbDav.Usenet.csproj", "../Catalog/NzbDav.Catalog.csproj", "backend/Catalog")]
    [InlineData("backend/Usenet/NzbDav.Usenet.csproj", "..\\Content\\NzbDav.Content.csproj;..\\WebDav\\NzbDav.WebDav.csproj", "backend/WebDav")]
    [InlineData("backend/Import/NzbDav.Import.csproj", "./../Library/NzbDav.Library.csproj", "backend/Library")]
    [InlineData("backend/WebDav/NzbDav.WebDav.csproj", "../Library/NzbDav.Library.csproj", "backend/Library")]
    [InlineData("backend/Catalog/NzbDav.Catalog.csproj", "../NzbDav.csproj", "backend")]
    [InlineData("backend/NzbDav.csproj", "../tools/Bench/NzbDav.Bench.csproj", "tools/Bench")]
    [InlineData("tools/MockUsenet/NzbDav.MockUsenet.csproj", "../../backend/Usenet/NzbDav.Usenet.csproj", "backend/Usenet")]
    [InlineData("tools/FullNzbTester/NzbDav.FullNzbTester.csproj", "../../backend/NzbDav.csproj", "backend")]
    [InlineData("tools/FullNzbTester/NzbDav.FullNzbTester.csproj", "../../backend/WebDav/NzbDav.WebDav.csproj", "backend/WebDav")]
    public void A_wrong_arrow_is_found(string project, string reference, string target)
    {
        var violation = Assert.Single(Arrows.Violations(project, Project(reference)));
        Assert.Contains($"must not refer to {target}.", violation, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("backend/Usenet/NzbDav.Usenet.csproj", "../Content/NzbDav.Content.csproj")]
    [InlineData("backend/Library/NzbDav.Library.csproj", "../WebDav/NzbDav.WebDav.csproj")]
    [InlineData("backend/NzbDav.csproj", "Content/NzbDav.Content.csproj")]
    [InlineData("backend/NzbDav.csproj", "../tools/MockUsenet/NzbDav.MockUsenet.csproj")]
    [InlineData("backend/NzbDav.csproj", "../tools/FullNzbTester/NzbDav.FullNzbTester.csproj")]
    [InlineData("tools/FullNzbTester/NzbDav.FullNzbTester.csproj", "../../backend/Usenet/NzbDav.Usenet.csproj")]
    public void A_right_arrow_passes(string project, string reference) => Assert.Empty(Arrows.Violations(project, Project(reference)));

    [Fact]
    public void A_project_that_nobody_decided_on_is_found() =>
        Assert.Contains("nobody has decided", Assert.Single(Arrows.Violations("backend/New/NzbDav.New.csproj", Project("x"))), StringComparison.Ordinal);

    [Theory]
    [InlineData("backend/Usenet/Common")]
    [InlineData("backend/core")]
    [InlineData("backend/Shared")]
    [InlineData("tools/Bench/Helpers")]
    [InlineData("backend/Content/Utils")]
    [InlineData("backend/Content/Extensions")]
    [InlineData("backend/NzbDav.Content")]
    [InlineData("backend/Archives/Rar5")]
    public void A_bad_folder_is_found(string path) => Assert.NotNull(Naming.FolderViolation(path));

    [Theory]
    [InlineData("backend/Usenet/Nntp")]
    [InlineData("backend")]
    public void A_good_folder_passes(string path) => Assert.Null(Naming.FolderViolation(path));

    [Fact]
    public void A_file_too_long_is_found()
    {
        var longest = string.Concat(Enumerable.Repeat("x\n", Naming.MostLines));
        Assert.Null(Naming.LengthViolation("a.cs", longest));
        Assert.Null(Naming.LengthViolation("a.cs", string.Empty));
        Assert.NotNull(Naming.LengthViolation("a.cs", longest + "x"));
    }

    [Fact]
    public void A_root_that_is_not_there_is_found() =>
        Assert.Throws<DirectoryNotFoundException>(() => Repository.FindRoot(Path.GetPathRoot(AppContext.BaseDirectory)!));

    [Fact]
    public void A_circle_of_folders_is_found()
    {
        SourceFile[] files =
        [
            new("backend/Room/Root.cs", "namespace Room;\nclass Root { Leaf leaf; }", []),
            new("backend/Room/Low/Leaf.cs", "using Room.Mid;\nnamespace Room;\nsealed class Leaf { Middle middle; }", []),
            new("backend/Room/Mid/Middle.cs", "namespace Room.Mid;\npublic interface Middle { Root Top(); }", []),
        ];

        var circle = Assert.Single(FolderCircles.Of(files));
        Assert.Equal("backend/Room backend/Room/Low backend/Room/Mid", circle);
        Assert.Contains("New circle", Assert.Single(FolderCircles.Violations([], [circle])), StringComparison.Ordinal);
        Assert.Contains("gone or smaller", Assert.Single(FolderCircles.Violations([circle], [])), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("namespace Room;\nclass Leaf { }")]
    [InlineData("namespace Room;\nclass Leaf { /* Root */ string Text => \"Root\"; } // Root")]
    [InlineData("namespace Room;\nclass Leaf { int Of(Other other) => other.Root; }")]
    [InlineData("namespace Elsewhere;\nclass Leaf { Root root; }")]
    public void What_is_no_circle_passes(string leaf) => Assert.Empty(FolderCircles.Of(
    [
        new SourceFile("backend/Room/Root.cs", "using Elsewhere;\nnamespace Room;\nclass Root { Leaf leaf; }", []),
        new SourceFile("backend/Room/Low/Leaf.cs", leaf, []),
    ]));

    private static string Project(string reference) =>
        $"<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup><ProjectReference Include=\"{reference}\" /></ItemGroup></Project>";
}

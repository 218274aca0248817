namespace NzbDav.Architecture.Tests;

/// <summary>Each check gets an invented example that it must reject and one that it must accept.</summary>
public sealed class ChecksCanFailTests
{
    [Theory]
    [InlineData("backend/Content/NzbDav.Content.csproj", "../Usenet/NzbDav.Usenet.csproj", "backend/Usenet")]
    [InlineData("backend/Usenet/NzbDav.Usenet.csproj", "../Catalog/NzbDav.Catalog.csproj", "backend/Catalog")]
    [InlineData(
        "backend/Usenet/NzbDav.Usenet.csproj", "..\\Content\\NzbDav.Content.csproj;..\\WebDav\\NzbDav.WebDav.csproj", "backend/WebDav")]
    [InlineData("backend/Import/NzbDav.Import.csproj", "./../Library/NzbDav.Library.csproj", "backend/Library")]
    [InlineData("backend/WebDav/NzbDav.WebDav.csproj", "../Library/NzbDav.Library.csproj", "backend/Library")]
    [InlineData("backend/Catalog/NzbDav.Catalog.csproj", "../NzbDav.csproj", "backend")]
    [InlineData("backend/NzbDav.csproj", "../tools/Bench/NzbDav.Bench.csproj", "tools/Bench")]
    [InlineData("tools/MockUsenet/NzbDav.MockUsenet.csproj", "../../backend/Usenet/NzbDav.Usenet.csproj", "backend/Usenet")]
    [InlineData("tools/FullNzbTester/NzbDav.FullNzbTester.csproj", "../../backend/NzbDav.csproj", "backend")]
    [InlineData("tools/FullNzbTester/NzbDav.FullNzbTester.csproj", "../../backend/WebDav/NzbDav.WebDav.csproj", "backend/WebDav")]
    public void A_forbidden_reference_is_found(string project, string reference, string target)
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
    public void An_allowed_reference_passes(string project, string reference) =>
        Assert.Empty(Arrows.Violations(project, Project(reference)));

    [Fact]
    public void An_undecided_project_is_found() =>
        Assert.Contains("nobody has decided", Assert.Single(Arrows.Violations("backend/New/NzbDav.New.csproj", Project("x"))),
            StringComparison.Ordinal);

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
    public void A_line_too_wide_is_found()
    {
        var widest = new string('x', Naming.MostColumns);
        Assert.Empty(Naming.WidthViolations("a.cs", $"{widest}\n\n\"{widest}\"\n\"\"\"\n{widest}\n\"\"\""));
        Assert.Equal("a.cs(2): 141 columns are more than 140.", Assert.Single(Naming.WidthViolations("a.cs", $"@\"\n\"{widest}x\n")));
    }

    [Theory]
    [InlineData("class A { int _b; int C => this._b; }", true)]
    [InlineData("class A : B { A() : this(1) { } int this[int i] => i; string C => \"this.\"; } // this.", false)]
    public void A_member_named_by_this_is_found(string text, bool isFound) =>
        Assert.Equal(isFound, new SourceFile("a/b.cs", text, []).QualifiesByThis);

    [Fact]
    public void A_missing_root_is_found() =>
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

        Assert.Equal("backend/Room backend/Room/Low backend/Room/Mid", Assert.Single(Circles.OfFolders(files)));
    }

    [Theory]
    [InlineData("namespace Room;\nclass Leaf { }")]
    [InlineData("namespace Room;\nclass Leaf { /* Root */ string Text => \"Root\"; } // Root")]
    [InlineData("namespace Room;\nclass Leaf { int Of(Other other) => other.Root; }")]
    [InlineData("namespace Elsewhere;\nclass Leaf { Root root; }")]
    public void Dependencies_without_a_circle_pass(string leaf) => Assert.Empty(Circles.OfFolders(
    [
        new SourceFile("backend/Room/Root.cs", "using Elsewhere;\nnamespace Room;\nclass Root { Leaf leaf; }", []),
        new SourceFile("backend/Room/Low/Leaf.cs", leaf, []),
    ]));

    [Theory]
    [InlineData("backend/Room/Low/Leaf.cs", "NzbDav.Room.Low", true)]
    [InlineData("backend/Room/Leaf.cs", "NzbDav.Room", true)]
    [InlineData("backend/Room/Low/Leaf.cs", "NzbDav.Room", false)]
    [InlineData("backend/Room/Leaf.cs", "NzbDav.Room.Low", false)]
    [InlineData("backend/Room/Program.cs", "", true)]
    public void A_namespace_that_does_not_follow_its_folder_is_found(string path, string space, bool isRight)
    {
        var file = new SourceFile(path, space.Length == 0 ? "return 0;" : $"namespace {space};\nclass Leaf {{ }}", []);
        Assert.Equal(isRight, Naming.NamespaceViolation(file, "backend/Room/NzbDav.Room.csproj", "<Project />") is null);
        Assert.Equal(isRight, Naming.NamespaceViolation(file, "backend/Room/Other.csproj",
            "<Project><PropertyGroup><RootNamespace>NzbDav.Room</RootNamespace></PropertyGroup></Project>") is null);
    }

    [Theory]
    [InlineData("backend/Host/Warming/WarmUp.cs", "using NzbDav.MockUsenet.Providers;", false)]
    [InlineData("backend/Usenet/UsenetClient.cs", "new MockUsenet.Articles.ArticleStore()", false)]
    [InlineData("backend/Host/Demo/DemoShow.cs", "using NzbDav.MockUsenet.Providers;", true)]
    [InlineData("backend/Host/Warming/WarmUp.cs", "using NzbDav.Usenet;", true)]
    [InlineData("tests/Usenet/Some.cs", "using NzbDav.MockUsenet.Providers;", true)]
    public void A_mock_in_the_product_is_found(string path, string text, bool isRight) =>
        Assert.Equal(isRight, Arrows.MockViolation(path, text) is null);

    private static string Project(string reference) =>
        $"<Project Sdk=\"Microsoft.NET.Sdk\"><ItemGroup><ProjectReference Include=\"{reference}\" /></ItemGroup></Project>";
}

using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace NzbDav.Architecture.Tests;

/// <summary>Checks of this repository. <see cref="ChecksCanFailTests"/> shows that they can fail.</summary>
public sealed partial class ArchitectureTests
{
    private static readonly string[] Everything = ["backend", "tools", "tests"];

    private static readonly string[] ProjectFiles = [.. Repository.Files("*.csproj", Everything)];

    [Fact]
    public void Projects_reference_only_what_the_design_allows()
    {
        var projects = Repository.Files("*.csproj", "backend", "tools").ToArray();

        Assert.Contains("backend/Content/NzbDav.Content.csproj", projects);
        Assert.Contains("backend/NzbDav.csproj", projects);
        Assert.Empty(projects.SelectMany(path => Arrows.Violations(path, Repository.Read(path))));
    }

    [Fact]
    public void The_product_uses_no_mock_outside_the_demo()
    {
        var files = Repository.Files("*.cs", "backend").ToArray();

        Assert.Contains(files, static path => path.StartsWith("backend/Host/Demo/", StringComparison.Ordinal)
            && Repository.Read(path).Contains("NzbDav.MockUsenet", StringComparison.Ordinal));
        Assert.Empty(files.Select(static path => Arrows.MockViolation(path, Repository.Read(path))).OfType<string>());
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
    public void Lines_fit_the_screen() =>
        Assert.Empty(Repository.Files("*.cs", Everything).SelectMany(static path => Naming.WidthViolations(path, Repository.Read(path))));

    [Fact]
    public void Members_are_named_without_this() =>
        Assert.Empty(Sources(Everything).Where(static file => file.QualifiesByThis).Select(static file => file.Path));

    [Fact]
    public void Folders_do_not_depend_on_each_other_in_a_circle()
    {
        var files = Sources("backend", "tools");

        Assert.Contains(files, file => file.Path == "backend/Content/IContent.cs" && file.Declared.Contains("IContent"));
        Assert.Empty(Circles.OfFolders(files));
    }

    [Fact]
    public void Namespaces_follow_folders()
    {
        var files = Sources(Everything);

        Assert.Contains(files, file => file.Namespace == "NzbDav.Usenet.Nntp");
        Assert.Empty(files.Select(NamespaceViolation).OfType<string>());
    }

    [Fact]
    public void Every_log_message_has_an_event_id_of_its_own()
    {
        var ids = Repository.Files("*.cs", "backend").SelectMany(
            static path => LogEvent().Matches(Repository.Read(path)).Select(match => (Id: match.Groups[1].Value, path))).ToArray();

        Assert.Contains(ids, static one => one.path == "backend/Usenet/Providers/ConnectionPool.Log.cs");
        Assert.Empty(ids.GroupBy(static one => one.Id, static one => one.path, StringComparer.Ordinal)
            .Where(static same => same.Count() > 1).Select(static same => $"{same.Key}: {string.Join(", ", same)}"));
    }

    /// <summary>It may be asked after the container was disposed: a torrent that closes still gets its tracker's answer.</summary>
    [Fact]
    public void No_callback_asks_the_container()
    {
        Assert.Matches(LateService(), "Guard(() =>\n    provider.GetRequiredService<Book>().Hosts)");
        Assert.DoesNotContain(Repository.Files("*.cs", "backend"), static path => LateService().IsMatch(Repository.Read(path)));
    }

    /// <summary>
    /// Without a callback the system's dialler is used, which tries a second address only once the first has failed: a silent one hides it.
    /// </summary>
    [Fact]
    public void Every_HTTP_client_says_how_it_connects()
    {
        // These only ask this server, or get their callback from TrackerConnector.
        string[] exempt =
        [
            "backend/Host/Commands/HealthCheckCommand.cs", "backend/Host/Commands/OpenApiCommand.cs",
            "backend/Torrents/TorrentEngine.cs",
        ];
        var clients = Repository.Files("*.cs", "backend").Where(static path => OwnClient().IsMatch(Repository.Read(path))).ToArray();

        Assert.Contains("backend/Arr/Client/ArrTransport.cs", clients);
        Assert.DoesNotContain(
            clients.Except(exempt), static path => !Repository.Read(path).Contains("ConnectCallback", StringComparison.Ordinal));
    }

    [Fact]
    public void The_image_build_includes_the_embedded_documents()
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

    [GeneratedRegex(
        @"new SocketsHttpHandler\b|new HttpClientHandler\b|new HttpClient(?:\(\)| \{)|HttpClient _\w+ = new\(\)",
        RegexOptions.CultureInvariant)]
    private static partial Regex OwnClient();

    [GeneratedRegex(@"\(\) =>\s*provider\.Get", RegexOptions.CultureInvariant)]
    private static partial Regex LateService();

    [GeneratedRegex(@"LoggerMessage\(([0-9]+),", RegexOptions.CultureInvariant)]
    private static partial Regex LogEvent();

    private static SourceFile[] Sources(params string[] folders) =>
        [.. Repository.Files("*.cs", folders).Select(path => new SourceFile(path, Repository.Read(path), ProjectUsings(path)))];

    private static string? NamespaceViolation(SourceFile file)
    {
        var project = ProjectFiles.Where(path => file.Path.StartsWith(path[..(path.LastIndexOf('/') + 1)], StringComparison.Ordinal))
            .MaxBy(static path => path.Length);

        // A program of one file belongs to no project, and declares no namespace.
        return project is null ? null : Naming.NamespaceViolation(file, project, Repository.Read(project));
    }

    /// <summary>Namespaces that a project file imports for all its files.</summary>
    private static IEnumerable<string> ProjectUsings(string path) => ProjectFiles
        .Where(project => path.StartsWith(project[..(project.LastIndexOf('/') + 1)], StringComparison.Ordinal))
        .SelectMany(project => XDocument.Parse(Repository.Read(project)).Descendants("Using"))
        .Select(element => element.Attribute("Include")?.Value)
        .OfType<string>();
}

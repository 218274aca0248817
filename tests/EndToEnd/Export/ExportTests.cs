using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Twins;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Export;

/// <summary>Exported folders of small files: written by the command, and kept up to date by the server.</summary>
public sealed class ExportTests
{
    [Fact]
    public async Task The_command_writes_playable_addresses_and_reports_files_in_the_way()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var target = new Folder();
        var film = news.Post("Film.2020.mkv", 2_000_000);
        await using var server = ServerHere.Serve(news, folder);
        using var client = await server.ClientAsync();
        await client.PutAsync("/dav/nzbs/movies/Film.nzb", NzbWriter.ToBytes([film]));
        await client.UntilAsync("/dav/content/movies/Film/Film.2020.mkv");
        var root = client.Http.BaseAddress!.ToString().TrimEnd('/');

        string[] command = ["export", "--config", folder.Path, "--strm", "--nfo", "--base-url", root, target.Path];
        var (exit, output, errors) = await ServerProcess.RunAsync(news.Environment, command);
        Assert.True(exit == 0, string.Join('\n', errors));
        Assert.Contains("2 made, 0 replaced, 0 removed, 0 unchanged", output[0], StringComparison.Ordinal);
        var address = await File.ReadAllTextAsync(Path.Combine(target.Path, "movies/Film/Film.2020.strm"));
        Assert.StartsWith(root + "/view/", address, StringComparison.Ordinal);
        using var nobody = new DavClient(root);
        await nobody.AssertFileAsync(new Uri(address).PathAndQuery, film);

        // A library may have the file now, so it cannot be deleted.
        Assert.Equal(
            System.Net.HttpStatusCode.Forbidden, (await client.AskAsync("DELETE", "/dav/content/movies/Film/Film.2020.mkv")).Status);

        await File.WriteAllTextAsync(Path.Combine(target.Path, "movies/Film/Film.2020.strm"), "mine");
        (exit, _, errors) = await ServerHere.RunAsync(news.Environment, command);
        Assert.Equal(1, exit);
        Assert.Contains(errors, error => error.Contains("Film.2020.strm was changed by somebody else", StringComparison.Ordinal));
        Assert.Equal("mine", await File.ReadAllTextAsync(Path.Combine(target.Path, "movies/Film/Film.2020.strm")));
    }

    [Theory]
    [InlineData("say what to write", "DIR")]
    [InlineData("exclude each other", "--strm", "--symlink", "DIR")]
    [InlineData("--base-url must say", "--strm", "DIR")]
    [InlineData("is not an address", "--strm", "--base-url", "nas", "DIR")]
    [InlineData("is not an absolute path", "--symlink", "--mount", "mnt", "DIR")]
    public async Task Wrong_arguments_are_refused_with_advice(string reason, params string[] arguments)
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        var (exit, _, errors) = await ServerHere.RunAsync(news.Environment, ["export", "--config", folder.Path,
            .. arguments.Select(argument => argument == "DIR" ? Path.Combine(folder.Path, "to") : argument)]);
        Assert.Equal(78, exit);
        Assert.Contains(reason, Assert.Single(errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_export_folder_follows_its_category_and_catches_up_after_a_restart()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var target = new Folder();
        var film = news.Post("film.mkv", 1_000_000);
        await using (var gateway = await StartAsync(news, folder, target.Path))
        {
            await gateway.ImportAsync("Film", film);
            await UntilAsync(target.Path, "Film/film.strm");
            using var nobody = new DavClient(gateway.Root);
            await nobody.AssertFileAsync(
                new Uri(await File.ReadAllTextAsync(Path.Combine(target.Path, "Film/film.strm"))).PathAndQuery, film);
            await File.WriteAllTextAsync(Path.Combine(target.Path, "Film/poster.jpg"), "somebody's");

            using (await gateway.Client.SendAsync("MOVE", "/dav/content/movies/Film/film.mkv", null,
                headers => headers.Add("Destination", gateway.Root + "/dav/content/movies/Film/other.mkv")))
                await UntilAsync(target.Path, "Film/other.strm", "Film/poster.jpg");
        }

        // One of our files is deleted while the server is stopped.
        File.Delete(Path.Combine(target.Path, "Film/other.strm"));
        await using (var gateway = await StartAsync(news, folder, target.Path))
        {
            await UntilAsync(target.Path, "Film/other.strm", "Film/poster.jpg");

            // The title was played, but only the tree holds it, so it can be deleted.
            Assert.Equal(System.Net.HttpStatusCode.NoContent, (await gateway.Client.AskAsync("DELETE", "/dav/content/movies/Film")).Status);
            await UntilAsync(target.Path, "Film/poster.jpg");
        }
    }

    [Fact]
    public async Task A_missing_export_folder_is_reported_and_nothing_is_written_in_its_place()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var above = new Folder();
        var target = Path.Combine(above.Path, "mount");
        await using (var gateway = await StartAsync(news, folder, target))
        {
            await ProblemAsync(gateway, "does not exist. Is it mounted?");
            Assert.False(Directory.Exists(target));
        }

        Directory.CreateDirectory(target);
        await using (var gateway = await StartAsync(news, folder, target))
        {
            await gateway.ImportAsync("Film", news.Post("film.mkv", 1_000_000));
            await UntilAsync(target, "Film/film.strm");
            Assert.Empty(gateway.Services.GetRequiredService<TwinKeeper>().Problems);
        }

        // An empty folder in place of a lost mount.
        Directory.Move(target, target + "-away");
        Directory.CreateDirectory(target);
        await using (var gateway = await StartAsync(news, folder, target))
        {
            await ProblemAsync(gateway, "is not the folder that was filled before");
            Assert.Empty(Directory.EnumerateFileSystemEntries(target));
        }
    }

    [Fact]
    public async Task A_folder_set_at_run_time_is_filled_and_the_status_reports_an_unusable_one()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        using var target = new Folder();
        var environment = new Dictionary<string, string?>(SettingsClient.KeyAndLogin, StringComparer.Ordinal);
        foreach (var (name, value) in news.Environment)
            environment[name["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal)] = value;
        await using var gateway = await Gateway.StartAsync(news, folder, environment: environment);
        await gateway.ImportAsync("Film", news.Post("film.mkv", 1_000_000));
        var api = new SettingsClient(gateway);
        await api.ChangeAsync(new Dictionary<string, object> { ["Export:Symlinks"] = new[] { "movies=" + target.Path } });
        await UntilAsync(target.Path, "Film/film.mkv");
        var stands = default(JsonElement);
        await Deadline.UntilAsync(
            async () => (stands = (await api.SendAsync("GET", "/api/v1/status", null)).Answer.GetProperty("exports").EnumerateArray()
                .Single()).GetProperty("state").GetString() == "current", "the status says that it is filled");
        Assert.Equal(("movies", target.Path, "symlinks", 1), (stands.GetProperty("category").GetString(),
            stands.GetProperty("folder").GetString(), stands.GetProperty("kind").GetString(), stands.GetProperty("files").GetInt32()));
        Assert.Equal("/mnt/nzbdav/content/movies/Film/film.mkv", new FileInfo(Path.Combine(target.Path, "Film/film.mkv")).LinkTarget);

        await api.ChangeAsync(new Dictionary<string, object> { ["Export:Symlinks"] = new[] { "movies=/no/such/folder" } });
        await Deadline.UntilAsync(
            async () => (await api.SendAsync("GET", "/api/v1/status", null)).Answer.GetProperty("exports").EnumerateArray()
                .Any(static export => export.GetProperty("state").GetString() == "failed"
                    && export.GetProperty("reason").GetString()!.StartsWith("/no/such/folder does not exist.", StringComparison.Ordinal)),
            "the status reports it");
        Assert.Equal(["Film/film.mkv"], Files(target.Path));
    }

    [Theory]
    [InlineData("Export:Strm", "movies", "not a category with a folder")]
    [InlineData("Export:Strm", "movies=library", "not a category with a folder")]
    [InlineData("Export:Symlinks", "=/library", "not a category with a folder")]
    [InlineData("Export:Symlinks", "movies=/library/a, tv=/library/a/b", "the same folder or one in the other")]
    public void Invalid_export_settings_are_refused(string path, string value, string reason)
    {
        var reading = Gateway.Sources(new Dictionary<string, string?> { [path] = value, ["Strm:Url"] = "http://nas:8080" })
            .Read(new Dictionary<string, string>(StringComparer.Ordinal));
        Assert.Contains(reading.Faults, fault => fault.Path == path && fault.Message.Contains(reason, StringComparison.Ordinal));
    }

    [Fact]
    public void Settings_name_folders_by_category_and_need_an_address_for_strm_files()
    {
        var environment = new Dictionary<string, string?>
        { ["Export:Strm"] = "movies=/library/movies/", ["Export:Symlinks"] = "tv=/library/tv", ["Export:Nfo"] = "true" };
        Assert.Contains(Gateway.Sources(environment).Read(new Dictionary<string, string>(StringComparer.Ordinal)).Faults,
            static fault => fault.Path == "Strm:Url");
        environment["Strm:Url"] = "http://nas:8080";
        var twins = Gateway.Sources(environment).Read(new Dictionary<string, string>(StringComparer.Ordinal)).Settings.Twins;
        Assert.Equal([("movies", "/library/movies", true, true, "http://nas:8080"), ("tv", "/library/tv", false, true, "http://nas:8080")],
            twins.Select(static twin => (twin.Category, twin.Folder, twin.Addresses, twin.Details, twin.AddressRoot)));
    }

    private static Task<Gateway> StartAsync(NewsServers news, Folder folder, string target) => Gateway.StartAsync(
        news,
        folder,
        settings => settings with
        {
            Twins = [
            new() { Folder = target, Category = "movies", Addresses = true, AddressRoot = "http://127.0.0.1:1", Follows = true }]
        });

    private static Task ProblemAsync(Gateway gateway, string problem) =>
        Deadline.UntilAsync(() => gateway.Services.GetRequiredService<TwinKeeper>().Problems.Any(
            told => told.Contains(problem, StringComparison.Ordinal)), problem);

    /// <summary>Waits until the folder contains exactly these files.</summary>
    private static Task UntilAsync(string folder, params string[] files) =>
        Deadline.UntilAsync(() => Files(folder).SequenceEqual(files, StringComparer.Ordinal), string.Join(", ", files));

    private static string[] Files(string folder)
    {
        try
        {
            return
            [
                .. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Select(path => Path.GetRelativePath(folder, path))
                    .Where(static path => !path.StartsWith(".nzbdav-export", StringComparison.Ordinal)).Order(StringComparer.Ordinal),
            ];
        }
        catch (DirectoryNotFoundException)
        {
            // A listed file may be renamed meanwhile.
            return [];
        }
    }
}

using System.Net;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text.Json;
using NzbDav.EndToEnd.Tests.Running;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary><c>nzbdav --demo</c>: everything works without an account.</summary>
public sealed class DemoTests
{
    [Fact]
    public async Task The_demo_serves_its_video_and_leaves_nothing_behind()
    {
        using var temporary = new Folder();
        var environment = Environment(temporary);
        environment["NzbDav__UrlBase"] = "/films";
        await using var demo = ServerProcess.Start(environment, "--demo", "--urls", "http://127.0.0.1:0");
        await AssertServesAsync(demo);
        Assert.NotEmpty(Directory.GetDirectories(temporary.Path, "nzbdav-*"));
        demo.Terminate();
        Assert.Equal(0, await demo.ExitAsync(TimeSpan.FromSeconds(10)));
        Assert.Empty(demo.Errors);
        Assert.Empty(Directory.GetDirectories(temporary.Path, "nzbdav-*"));
    }

    [Fact]
    public async Task The_demo_in_a_folder_of_its_own_imports_once()
    {
        using var temporary = new Folder();
        using var folder = new Folder();
        for (var start = 0; start < 2; start++)
        {
            await using var demo = ServerHere.Start(
                Environment(temporary), "--demo", "--config", folder.Path, "--urls", "http://127.0.0.1:0");
            await AssertServesAsync(demo);
            using var client = new DavClient(new Uri(Address(demo, "files")).GetLeftPart(UriPartial.Authority));
            Assert.Equal(["NzbDav Demo", "NzbDav Demo Torrent"], await client.ListAsync("/dav/content/movies/"));
            await demo.StopAsync();
        }
    }

    [Fact]
    public async Task The_demo_says_whether_it_asks_for_an_account_and_a_password()
    {
        using var temporary = new Folder();
        using var folder = new Folder();
        var environment = Environment(temporary);
        await using (var open = ServerHere.Start(environment, "--demo", "--config", folder.Path, "--urls", "http://127.0.0.1:0"))
        {
            await open.LineAsync("Ctrl+C stops it.");
            Assert.EndsWith("(no account needed)", Line(open, "page"), StringComparison.Ordinal);
            Assert.EndsWith("(no user, no password)", Line(open, "files"), StringComparison.Ordinal);
        }

        environment["NzbDav__WebDav__Username"] = "me";
        environment["NzbDav__WebDav__Password"] = "secret of it";
        await using (var closed = ServerHere.Start(environment, "--demo", "--config", folder.Path, "--urls", "http://127.0.0.1:0"))
        {
            await closed.LineAsync("Ctrl+C stops it.");
            Assert.EndsWith("(with the user and password for players)", Line(closed, "files"), StringComparison.Ordinal);
            Assert.EndsWith("(the address of the set-up is above)", Line(closed, "page"), StringComparison.Ordinal);
            var setup = closed.Output.Single(line => line.Contains("setup?token=", StringComparison.Ordinal))
                .Split("Create the first user at ")[1];
            using var http = new HttpClient();
            Assert.Equal(HttpStatusCode.Unauthorized, (await http.GetAsync(Address(closed, "files"))).StatusCode);
            var token = setup.Split("token=")[1].Trim();
            var made = await http.PostAsJsonAsync(
                new Uri(new Uri(Address(closed, "page")), "api/v1/setup"), new { token, username = "anna", password = "a long password" });
            Assert.True(made.IsSuccessStatusCode, await made.Content.ReadAsStringAsync());
        }

        await using var owned = ServerHere.Start(environment, "--demo", "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        await owned.LineAsync("Ctrl+C stops it.");
        Assert.EndsWith("(sign in with your account)", Line(owned, "page"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_open_demo_serves_all_addresses_but_no_public_host_name()
    {
        using var temporary = new Folder();
        await using var demo = ServerHere.Start(Environment(temporary), "--demo", "--open", "--urls", "http://0.0.0.0:0");
        await AssertServesAsync(demo);
        using var http = new HttpClient();
        foreach (var (host, state) in new[] { ("nas.local", "signedIn"), ("films.example.com", "setup") })
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(new Uri(Address(demo, "page")), "api/v1/session"));
            request.Headers.Host = host;
            using var answer = JsonDocument.Parse(await (await http.SendAsync(request)).Content.ReadAsByteArrayAsync());
            Assert.Equal(state, answer.RootElement.GetProperty("state").GetString());
        }
    }

    [Fact]
    public async Task Only_the_demo_accepts_the_open_option()
    {
        using var folder = new Folder();
        var (exit, _, errors) = await ServerHere.RunAsync(
            new Dictionary<string, string>(), "--open", "--config", folder.Path, "--urls", "http://127.0.0.1:0");
        Assert.Equal(78, exit);
        Assert.Equal(["nzbdav: --open is for the demo only. Add --demo, or leave --open out."], errors);
    }

    private static Dictionary<string, string> Environment(Folder temporary) => new(StringComparer.Ordinal) { ["TMPDIR"] = temporary.Path };

    private static async Task AssertServesAsync(RunningProgram demo)
    {
        await demo.LineAsync("Ctrl+C stops it.");
        using var http = new HttpClient();
        foreach (var (player, ending) in new[] { ("browser", ".mp4"), ("VLC", ".mkv"), ("mpv", ".mkv"), ("ffplay", ".mkv"),
            ("torrent", ".mkv") })
        {
            var address = Address(demo, player);
            Assert.EndsWith(ending, address, StringComparison.Ordinal);
            var source = Assert.Single(Directory.GetFiles(Path.Combine(AppContext.BaseDirectory, "demo"), "*" + ending));
            Assert.Equal(SHA256.HashData(await File.ReadAllBytesAsync(source)), SHA256.HashData(await http.GetByteArrayAsync(address)));
        }

        using var session = JsonDocument.Parse(await http.GetByteArrayAsync(new Uri(new Uri(Address(demo, "page")), "api/v1/session")));
        Assert.Equal("signedIn", session.RootElement.GetProperty("state").GetString());
        Assert.DoesNotContain(demo.Output, line => line.Contains("setup?token=", StringComparison.Ordinal));

        using var ask = new HttpRequestMessage(new HttpMethod("PROPFIND"), Address(demo, "files"));
        Assert.Equal(HttpStatusCode.MultiStatus, (await http.SendAsync(ask)).StatusCode);
    }

    /// <summary>The address on the output line for that player.</summary>
    private static string Address(RunningProgram demo, string player) =>
        Line(demo, player).Split(' ').First(word => word.StartsWith("http://", StringComparison.Ordinal));

    private static string Line(RunningProgram demo, string player) =>
        demo.Output.Single(line => line.TrimStart().StartsWith(player + " ", StringComparison.Ordinal));
}

using System.Net;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Access.Sessions;
using NzbDav.Arr.Tests;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Warming;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>Setting up a new server from the page alone.</summary>
public sealed class GuideTests
{
    private const string Password = "correct horse battery";

    [Fact]
    public async Task A_new_server_plays_a_file_without_environment_settings_or_a_restart()
    {
        await using var news = new NewsServers(new MockProviderOptions { Username = "me", Password = "secret of it" });
        var file = news.Post("Film.mkv", 3_000_000);
        using var folder = new Folder();
        await using (var gateway = await Gateway.StartAsync(
            news, folder, environment: new Dictionary<string, string?> { ["Torrents:ListenAddress"] = "127.0.0.1" }))
        {
            using var http = new HttpClient(new SocketsHttpHandler { UseCookies = true }) { BaseAddress = new Uri(gateway.Root) };
            Assert.Equal("setup", (await AskAsync(http, "GET", "/api/v1/session")).GetProperty("state").GetString());
            var token = gateway.Services.GetRequiredService<SetupToken>().Value;
            var session = await AskAsync(http, "POST", "/api/v1/setup", new { token, username = "anna", password = Password });
            http.DefaultRequestHeaders.Add("X-CSRF-Token", session.GetProperty("csrfToken").GetString());
            Assert.Equal("administrator", session.GetProperty("role").GetString());
            Assert.Equal((true, false, false, false, false), Progress(await AskAsync(http, "GET", "/api/v1/setup/progress")));
            Assert.Equal(JsonValueKind.Null, (await AskAsync(http, "GET", "/api/v1/play")).GetProperty("username").ValueKind);

            await AskAsync(http, "PATCH", "/api/v1/settings", new Dictionary<string, object>
            {
                ["Usenet:Providers:0:Host"] = "127.0.0.1",
                ["Usenet:Providers:0:Port"] = news.First.Port,
                ["Usenet:Providers:0:UseTls"] = false,
                ["Usenet:Providers:0:Username"] = "me",
                ["Usenet:Providers:0:Password"] = "secret of it",
                ["WebDav:Username"] = Gateway.User,
                ["WebDav:Password"] = Gateway.Password,
                ["WebDav:MountPath"] = "/mnt/films",
            });
            Assert.Equal((true, true, true, false, false), Progress(await AskAsync(http, "GET", "/api/v1/setup/progress")));
            var play = await AskAsync(http, "GET", "/api/v1/play");
            Assert.Equal(("", "/dav/", Gateway.User, "/mnt/films", "/sabnzbd"),
                (Text(play, "urlBase"), Text(play, "davPath"), Text(play, "username"), Text(play, "mountPath"), Text(play, "sabPath")));
            Assert.Equal($"rclone config create nzbdav webdav url={gateway.Root}/dav vendor=other user={Gateway.User} pass=PASSWORD",
                play.GetProperty("rclone")[0].GetString());
            Assert.DoesNotContain(Gateway.Password, play.ToString(), StringComparison.Ordinal);
            Assert.Equal(JsonValueKind.Null, play.GetProperty("mount").ValueKind);

            // The warm-up reads a file of its own; it must not count as a reader.
            await gateway.Services.GetRequiredService<WarmUp>().Ended.WaitAsync(Deadline.Token);
            await gateway.ImportAsync("Film", file);
            Assert.False(Progress(await AskAsync(http, "GET", "/api/v1/setup/progress")).Played);
            await gateway.Client.AssertFileAsync("/dav/content/movies/Film/Film.mkv", file);
            await Deadline.UntilAsync(async () => Progress(await AskAsync(http, "GET", "/api/v1/setup/progress")).Played, "it was played");
        }

        await using var again = await Gateway.StartAsync(
            news, folder, environment: new Dictionary<string, string?> { ["Torrents:ListenAddress"] = "127.0.0.1" });
        using var client = OperatorClient.Of(again);
        Assert.Equal((true, true, true, true, false), Progress((await client.AskAsync("GET", "/api/v1/setup/progress")).Body));
    }

    [Fact]
    public async Task An_arr_that_refuses_the_key_is_not_yet_connected()
    {
        await using var news = new NewsServers();
        await using var sonarr = await FakeArr.StartAsync();
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin);
        var client = new SettingsClient(gateway);
        foreach (var (key, isConnected) in new[] { ("00000000000000000000000000000000", false), (FakeArr.Key, true) })
        {
            var (_, saved) = await client.SendAsync("PATCH", "/api/v1/settings", new Dictionary<string, object>
            {
                ["Arrs:0:Application"] = "Sonarr",
                ["Arrs:0:Url"] = sonarr.Root + sonarr.UrlBase,
                ["Arrs:0:ApiKey"] = key,
            });
            Assert.False(saved.TryGetProperty("faults", out _), saved.ToString());
            var (_, test) = await client.SendAsync("POST", "/api/v1/arrs/0/test", body: null);
            Assert.Equal(isConnected, test.GetProperty("ok").GetBoolean());
            var (_, progress) = await client.SendAsync("GET", "/api/v1/setup/progress", body: null);
            Assert.True(progress.GetProperty("arrs").GetBoolean());
            Assert.Equal(isConnected, progress.GetProperty("arrAnswers").GetBoolean());
        }
    }

    [Fact]
    public async Task Exporting_secrets_requires_the_password()
    {
        await using var news = new NewsServers();
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin);
        Assert.Equal(AccountOutcome.Done,
            (await gateway.Services.GetRequiredService<UserAccounts>().CreateFirstAsync("anna", Password, Deadline.Token)).Outcome);
        using var http = new HttpClient(new SocketsHttpHandler { UseCookies = true }) { BaseAddress = new Uri(gateway.Root) };
        http.DefaultRequestHeaders.Add("X-CSRF-Token", (await AskAsync(
            http, "POST", "/api/v1/session", new { username = "anna", password = Password })).GetProperty("csrfToken").GetString());
        const string Export = "/api/v1/settings/export";
        Assert.False(Settings(await AskAsync(http, "GET", Export)).TryGetProperty("WebDav:Password", out _));
        await AskAsync(http, "GET", Export + "?secrets=true", body: null, HttpStatusCode.Forbidden);
        await AskAsync(http, "POST", Export, new { secrets = true }, HttpStatusCode.Forbidden);
        await AskAsync(http, "POST", Export, new { secrets = true, password = "not this one" }, HttpStatusCode.Forbidden);
        Assert.False(Settings(await AskAsync(http, "POST", Export, new { secrets = false })).TryGetProperty("WebDav:Password", out _));
        Assert.Equal(Gateway.Password, Settings(await AskAsync(http, "POST", Export, new { secrets = true, password = Password }))
            .GetProperty("WebDav:Password").GetString());

        // The full key is accepted in place of the password.
        var (_, byKey) = await new SettingsClient(gateway).SendAsync("GET", Export + "?secrets=true", body: null);
        Assert.Equal(Gateway.Password, Settings(byKey).GetProperty("WebDav:Password").GetString());

        static JsonElement Settings(JsonElement export) => export.GetProperty("settings");
    }

    private static async Task<JsonElement> AskAsync(
        HttpClient http, string method, string path, object? body = null, HttpStatusCode expected = HttpStatusCode.OK)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path)
        { Content = body is null ? null : System.Net.Http.Json.JsonContent.Create(body) };
        using var response = await http.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode == expected, $"{method} {path}: {response.StatusCode} {text}");
        return JsonDocument.Parse(text).RootElement.Clone();
    }

    private static string? Text(JsonElement element, string name) => element.GetProperty(name).GetString();

    private static (bool User, bool Provider, bool WebDav, bool Played, bool Arrs) Progress(JsonElement progress) => (
        progress.GetProperty("user").GetBoolean(), progress.GetProperty("provider").GetBoolean(), progress.GetProperty("webdav")
            .GetBoolean(), progress.GetProperty("played").GetBoolean(), progress.GetProperty("arrs").GetBoolean());
}

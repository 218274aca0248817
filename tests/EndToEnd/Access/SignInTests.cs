using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Configuration;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>From the first start to a session: what the log says and what the settings allow.</summary>
public sealed partial class SignInTests
{
    private const string Key = "the-full-key-of-it";
    private const string Password = "correct horse battery";

    [Fact]
    public async Task The_log_explains_how_to_begin_and_OPS_06_holds_no_other_secret()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        string[] cookies;
        string csrf;
        await using (var gateway = await StartAsync(news, folder))
        {
            var (page, token) = SetupLine(folder) is { Success: true } line
                ? (line.Groups[1].Value, line.Groups[2].Value) : throw new InvalidDataException(ReadLog(folder));
            Assert.Equal($"{gateway.Root}/setup", page);
            using var client = new DavClient(gateway.Root);
            Assert.Contains(token, (await client.AskAsync("GET", $"/setup?token={token}")).Text, StringComparison.Ordinal);
            using (var wrong = await client.SendAsync(
                "POST", "/api/v1/setup", JsonContent.Create(new { token = "a-wrong-token", username = "anna", password = Password })))
                Assert.Equal(HttpStatusCode.Forbidden, wrong.StatusCode);
            using var made = await client.SendAsync(
                "POST", "/api/v1/setup", JsonContent.Create(new { token, username = "anna", password = Password }));
            Assert.Equal(HttpStatusCode.OK, made.StatusCode);
            cookies = [.. made.Headers.GetValues("Set-Cookie").Select(cookie => cookie.Split(';')[0].Split('=', 2)[1])];
            csrf = JsonDocument.Parse(await made.Content.ReadAsStringAsync()).RootElement.GetProperty("csrfToken").GetString()!;

            // Provokes errors that could be logged.
            using (var refused = await client.SendAsync(
                "POST", "/api/v1/session", JsonContent.Create(new { username = "anna", password = "a-wrong-password" })))
                Assert.Equal(HttpStatusCode.Unauthorized, refused.StatusCode);
            await client.AskAsync("GET", "/api/v1/users?apikey=a-wrong-key-of-it");
            await client.AskAsync("GET", "/api/v1/users?apikey=" + Key);
            await client.AskAsync("GET", "/api?mode=queue&apikey=a-wrong-key-of-it");
            using var guess = new DavClient(gateway.Root, Gateway.User, "a-wrong-dav-password");
            Assert.Equal(HttpStatusCode.Unauthorized, (await guess.AskAsync("PROPFIND", "/dav/")).Status);
            Assert.Single(SetupLines().Matches(ReadLog(folder)));
        }

        // At the next start there is a user, so nothing is announced.
        await using (await StartAsync(news, folder))
        {
            var log = ReadLog(folder);
            Assert.Single(SetupLines().Matches(log));
            Assert.Contains("wrong name or password", log, StringComparison.Ordinal);
            string[] secrets = [Password, Key, Gateway.Password, "a-wrong-token", "a-wrong-password", "a-wrong-key-of-it",
                "a-wrong-dav-password", csrf, .. cookies];
            Assert.All(secrets, secret => Assert.DoesNotContain(secret, log, StringComparison.Ordinal));
            Assert.DoesNotContain("XML encryptor", log, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Wrong_passwords_of_webdav_and_of_the_interface_count_together()
    {
        await using var news = new NewsServers();
        using var folder = new Folder();
        await using var gateway = await StartAsync(news, folder);
        for (var i = 0; i < 10; i++)
        {
            using var guess = new DavClient(gateway.Root, Gateway.User, $"guess {i}");
            Assert.Equal(HttpStatusCode.Unauthorized, (await guess.AskAsync("PROPFIND", "/dav/")).Status);
        }

        // One attempt a second is let through.
        using var client = new DavClient(gateway.Root);
        var statuses = await Task.WhenAll(Enumerable.Range(0, 20).Select(async number =>
        {
            using var answer = await client.SendAsync(
                "GET", "/api/v1/users", body: null, headers => headers.Add("X-Api-Key", $"guess {number}"));
            return answer.StatusCode;
        }));
        Assert.Contains(HttpStatusCode.TooManyRequests, statuses);
    }

    [Fact]
    public void Access_settings_are_read()
    {
        var options = Read(
            ("UrlBase", "/nzb/dav/"), ("Access:TrustedProxies", "127.0.0.1, 172.18.0.9/16, fd00::1/8"),
            ("Access:ForwardAuthHeader", "Remote-User"), ("Access:LanNetworks", "192.168.1.0/24"),
            ("Access:LanRights", "read"), ("Access:LanHosts", "films.example"), ("Access:NoProxy", "true"),
            ("Access:Frames", "https://Home.example.com/, http://192.168.1.5:8123"), ("Access:Hsts", "true"),
            ("Access:Oidc:Authority", "https://auth.example.com/realms/home"), ("Access:Oidc:ClientId", "nzbdav"),
            ("Access:Oidc:ClientSecret", "secret"), ("Access:Oidc:Scopes", "openid,groups"), ("Access:Oidc:NameClaim", "email"),
            ("Access:Oidc:AllowedNames", "anna, bert"), ("Access:Oidc:GroupsClaim", "roles"),
            ("Access:Oidc:AllowedGroups", "films")).Options;
        Assert.Equal(new PathString("/nzb/dav"), options.UrlBase);
        Assert.Equal(
            [IPNetwork.Parse("127.0.0.1/32"), IPNetwork.Parse("172.18.0.0/16"), IPNetwork.Parse("fd00::/8")], options.TrustedProxies);
        Assert.Equal(("Remote-User", ApiRights.Read, true), (options.ForwardAuthHeader, options.LanRights, options.Hsts));
        Assert.Equal([IPNetwork.Parse("192.168.1.0/24")], options.LanNetworks);
        Assert.Equal(["films.example"], options.LanHosts);
        Assert.True(options.NoProxy);
        Assert.Equal(["https://home.example.com", "http://192.168.1.5:8123"], options.Frames);
        Assert.Equal((new Uri("https://auth.example.com/realms/home"), "nzbdav", "secret", "email", "roles"),
            (options.Oidc!.Authority, options.Oidc.ClientId, options.Oidc.ClientSecret, options.Oidc.NameClaim, options.Oidc.GroupsClaim));
        Assert.Equal(["openid", "groups"], options.Oidc.Scopes);
        Assert.Equal(["anna", "bert"], options.Oidc.AllowedNames);
        Assert.Equal(["films"], options.Oidc.AllowedGroups);

        var none = Read().Options;
        Assert.False(none.UrlBase.HasValue || none.Hsts || none.Oidc is not null || none.ForwardAuthHeader is not null
            || none.TrustedProxies.Count > 0 || none.LanNetworks.Count > 0);
        Assert.Equal((ApiRights.Read, false), (none.LanRights, none.NoProxy));
        Assert.Equal(ApiRights.Full, Read(("Access:LanRights", "full")).Options.LanRights);
        Assert.False(Read(("UrlBase", "/")).Options.UrlBase.HasValue);
    }

    [Theory]
    [InlineData("UrlBase", "/a b", "UrlBase")]
    [InlineData("UrlBase", "/a/../b", "UrlBase")]
    [InlineData("UrlBase", "/a//b", "UrlBase")]
    [InlineData("UrlBase", "https://films.example/a", "UrlBase")]
    [InlineData("Access:TrustedProxies", "10.0.0.0/33", "Access:TrustedProxies")]
    [InlineData("Access:TrustedProxies", "proxy", "Access:TrustedProxies")]
    [InlineData("Access:TrustedProxies", "10.0.0.0/-1", "Access:TrustedProxies")]
    [InlineData("Access:TrustedProxies", "10.0.0", "Access:TrustedProxies")]
    [InlineData("Access:TrustedProxies", "10/8", "Access:TrustedProxies")]
    [InlineData("Access:TrustedProxies", "010.0.0.1", "Access:TrustedProxies")]
    [InlineData("Access:LanNetworks", "192.168.1.*", "Access:LanNetworks")]
    [InlineData("Access:LanRights", "some", "Access:LanRights")]
    [InlineData("Access:ForwardAuthHeader", "Remote-User", "Access:ForwardAuthHeader")]
    [InlineData("Access:ForwardAuthHeader", "Remote User", "Access:ForwardAuthHeader")]
    [InlineData("Access:Hsts", "yes", "Access:Hsts")]
    [InlineData("Access:Frames", "home.example.com", "Access:Frames")]
    [InlineData("Access:Frames", "https://home.example.com; script-src *", "Access:Frames")]
    [InlineData("Access:Frames", "https://home.example.com/a", "Access:Frames")]
    [InlineData("Access:Frames", "*", "Access:Frames")]
    [InlineData("Access:Oidc:ClientId", "nzbdav", "Access:Oidc")]
    [InlineData("Access:Oidc:AllowedNames", "anna", "Access:Oidc")]
    [InlineData("Access:TrustedProxy", "10.0.0.1", "Access:TrustedProxy")]
    public void Wrong_access_settings_are_named(string path, string value, string where) =>
        Assert.StartsWith($"NzbDav:{where}: ", Assert.Single(Read((path, value)).Faults), StringComparison.Ordinal);

    [Theory]
    [InlineData("auth.example.com", "openid", "Authority")]
    [InlineData("ftp://auth.example.com", "openid", "Authority")]
    [InlineData("https://auth.example.com?x=y", "openid", "Authority")]
    [InlineData("https://auth.example.com", "profile", "Scopes")]
    public void Wrong_OpenID_settings_are_named(string authority, string scopes, string where)
    {
        var faults = Read(("Access:Oidc:Authority", authority), ("Access:Oidc:ClientId", "nzbdav"), ("Access:Oidc:ClientSecret", "secret"),
            ("Access:Oidc:Scopes", scopes)).Faults;
        Assert.StartsWith($"NzbDav:Access:Oidc:{where}: ", Assert.Single(faults), StringComparison.Ordinal);
    }

    private static (AccessOptions Options, IReadOnlyList<string> Faults) Read(params (string Path, string Value)[] settings)
    {
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(
            settings.Select(setting => KeyValuePair.Create($"NzbDav:{setting.Path}", (string?)setting.Value))).Build();
        var (read, found, _) = SettingsReader.Read(configuration);
        return (read.Access, [.. found.Select(fault => fault.ToString())]);
    }

    private static Task<Gateway> StartAsync(NewsServers news, Folder folder) =>
        Gateway.StartAsync(news, folder, settings => settings with { Api = new ApiSettings { Key = Key } });

    private static Match SetupLine(Folder folder) => SetupLines().Match(ReadLog(folder));

    private static string ReadLog(Folder folder)
    {
        var texts = Directory.GetFiles(Path.Combine(folder.Path, "logs")).Select(path =>
        {
            using var reader = new StreamReader(
                new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete));
            return reader.ReadToEnd();
        });
        return string.Join('\n', texts);
    }

    [GeneratedRegex("Create the first user at \"?(http://[^\"? ]+)\"?\\?token=\"?([0-9a-f]{32})")]
    private static partial Regex SetupLines();
}

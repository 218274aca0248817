using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Settings;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>A saved secret is only sent to the address it was given for, unless it is entered again or the change is confirmed.</summary>
public sealed class MovedSecretTests
{
    private const string Password = "correct horse battery";
    private const string Account = "Usenet:Providers:0";

    [Theory]
    [InlineData("Usenet:Providers:0:Host", "news.example.net", "Usenet:Providers:0:Password")]
    [InlineData("Usenet:Providers:0:Port", "564", "Usenet:Providers:0:Password")]
    [InlineData("Usenet:Providers:0:UseTls", "false", "Usenet:Providers:0:Password")]
    [InlineData("Usenet:Providers:0:VerifyCertificate", "false", "Usenet:Providers:0:Password")]
    [InlineData("Arrs:0:Url", "http://elsewhere:8989", "Arrs:0:ApiKey")]
    [InlineData("Access:Oidc:Authority", "https://elsewhere.example.com", "Access:Oidc:ClientSecret")]
    [InlineData("Rclone:Url", "http://elsewhere:5572", "Rclone:Password")]
    [InlineData("Otlp:Endpoint", "http://elsewhere:4318", "Otlp:Headers")]
    public void A_saved_secret_is_reported_when_its_address_changes(string path, string value, string secret)
    {
        var before = Read([]);
        var after = Read(new() { [path] = value });
        Assert.Equal(secret, Assert.Single(SecretDestinations.FindMoved(before, after, given => given == path)).Path);
        Assert.Empty(SecretDestinations.FindMoved(before, after, given => given == path || given == secret));
        Assert.Empty(SecretDestinations.FindMoved(before, before, _ => false));
    }

    [Theory]
    [InlineData("UseTls", "false", true)]
    [InlineData("VerifyCertificate", "false", true)]
    [InlineData("UseTls", "true", false)]
    public void A_password_that_another_proxy_could_read_is_reported(string protection, string value, bool isFound)
    {
        var before = new Dictionary<string, string?> { [$"{Account}:{protection}"] = value };
        var after = new Dictionary<string, string?>(before) { [$"{Account}:Proxy"] = "socks5://elsewhere:1080" };
        var moved = SecretDestinations.FindMoved(Read(before), Read(after), static given => given == $"{Account}:Proxy");
        Assert.Equal(isFound ? [$"{Account}:Password"] : [], moved.Select(static fault => fault.Path));
        Assert.Empty(SecretDestinations.FindMoved(Read(after), Read(after), static _ => false));
        Assert.Empty(SecretDestinations.FindMoved(Read(after), Read(before), static given => given == $"{Account}:Proxy"));
    }

    [Theory]
    [InlineData("Usenet:Providers:0:Username", "another")]
    [InlineData("Usenet:Providers:0:Host", "NEWS.EXAMPLE.COM")]
    [InlineData("Usenet:Providers:0:MaxConnections", "7")]
    [InlineData("Arrs:0:Url", "http://sonarr:8989/")]
    [InlineData("Rclone:Url", null)]
    public void A_change_that_sends_no_secret_elsewhere_is_allowed(string path, string? value) =>
        Assert.Empty(SecretDestinations.FindMoved(Read([]), Read(new() { [path] = value }), given => given == path));

    [Fact]
    public void Removing_an_address_and_setting_another_later_still_moves_the_secret() =>
        Assert.Equal("Rclone:Password", Assert.Single(SecretDestinations.FindMoved(
            Read(new() { ["Rclone:Url"] = null }), Read(new() { ["Rclone:Url"] = "http://elsewhere:5572" }), _ => false)).Path);

    [Fact]
    public async Task An_administrator_moves_a_provider_with_its_password_or_their_own()
    {
        await using var news = new NewsServers(new MockProviderOptions { Username = "me", Password = "n3ws-s3cret" },
            new MockProviderOptions { Username = "me", Password = "n3ws-s3cret" });
        await using var gateway = await Gateway.StartAsync(news, environment: SettingsClient.KeyAndLogin);
        await gateway.Services.GetRequiredService<UserAccounts>().CreateFirstAsync("anna", Password, Deadline.Token);
        using var http = new HttpClient(new SocketsHttpHandler { UseCookies = true }) { BaseAddress = new Uri(gateway.Root) };
        http.DefaultRequestHeaders.Add("X-CSRF-Token", (await AskAsync(
            http, "POST", "/api/v1/session", new { username = "anna", password = Password })).Body.GetProperty("csrfToken").GetString());
        var (first, second) = (news.Providers[0].Port, news.Providers[1].Port);
        await ChangedAsync(new()
        {
            [$"{Account}:Host"] = "127.0.0.1",
            [$"{Account}:Port"] = first,
            [$"{Account}:UseTls"] = false,
            [$"{Account}:Username"] = "me",
            [$"{Account}:Password"] = "n3ws-s3cret",
        });

        var (status, answer) = await PatchAsync(new() { [$"{Account}:Port"] = second, ["Import:Workers"] = 7 });
        Assert.Equal(HttpStatusCode.UnprocessableEntity, status);
        Assert.Equal(
            [string.Create(
                CultureInfo.InvariantCulture,
                $"{Account}:Password: it was given for 127.0.0.1:{first} and would be sent to 127.0.0.1:{second}: enter it again, or " +
                $"confirm the change with your own password (\"confirm\").")],
            SettingsClient.Faults(answer));
        (status, _) = await PatchAsync(new() { [$"{Account}:Port"] = second, ["confirm"] = new { password = "not this one" } });
        Assert.Equal(HttpStatusCode.Forbidden, status);
        (status, _) = await PatchAsync(new() { [$"{Account}:Port"] = second, ["confirm"] = "not like this" });
        Assert.Equal(HttpStatusCode.BadRequest, status);
        Assert.Equal(first, PortOf(await AskAsync(http, "GET", SettingsClient.Path)));
        Assert.Equal(0, news.Providers[1].Stats.Logins);

        await ChangedAsync(new() { [$"{Account}:Port"] = second, [$"{Account}:Password"] = "n3ws-s3cret" });
        await ChangedAsync(new() { [$"{Account}:Port"] = first, ["confirm"] = new { password = Password } });
        Assert.Equal(first, PortOf(await AskAsync(http, "GET", SettingsClient.Path)));

        // Importing a file without secrets keeps the stored ones, but not for another address.
        var file = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            [$"{Account}:Host"] = "127.0.0.1",
            [$"{Account}:Port"] = $"{second}",
            [$"{Account}:UseTls"] = "false",
            [$"{Account}:Username"] = "me"
        };
        (status, answer) = await AskAsync(http, "PUT", SettingsClient.Path + "/import", new { version = 1, settings = file });
        Assert.Equal((HttpStatusCode.UnprocessableEntity, $"{Account}:Password"),
            (status, answer.GetProperty("faults")[0].GetProperty("path").GetString()));
        (status, _) = await AskAsync(
            http, "PUT", SettingsClient.Path + "/import", new { version = 1, settings = file, confirm = new { password = Password } });
        Assert.Equal(HttpStatusCode.OK, status);

        // The full key is accepted in place of a user's password.
        await new SettingsClient(gateway).ChangeAsync(new Dictionary<string, object> { [$"{Account}:Port"] = first });

        Task<(HttpStatusCode Status, JsonElement Body)> PatchAsync(Dictionary<string, object> changes) =>
            AskAsync(http, "PATCH", SettingsClient.Path, changes);

        async Task ChangedAsync(Dictionary<string, object> changes)
        {
            var (status, answer) = await PatchAsync(changes);
            Assert.True(status == HttpStatusCode.OK, answer.ToString());
        }
    }

    private static int PortOf((HttpStatusCode Status, JsonElement Body) answer) => int.Parse(
        answer.Body.GetProperty("settings").EnumerateArray().Single(entry => entry.GetProperty("path").GetString() == $"{Account}:Port")
            .GetProperty("value").GetString()!, System.Globalization.CultureInfo.InvariantCulture);

    private static async Task<(HttpStatusCode Status, JsonElement Body)> AskAsync(
        HttpClient http, string method, string path, object? body = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path)
        { Content = body is null ? null : JsonContent.Create(body) };
        using var response = await http.SendAsync(request);
        return (response.StatusCode, JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement.Clone());
    }

    /// <summary>Settings with every secret and its address, plus the given changes.</summary>
    private static IReadOnlyList<SettingEntry> Read(Dictionary<string, string?> changes)
    {
        var values = new Dictionary<string, string>(StringComparer.Ordinal)
        {
            [$"{Account}:Host"] = "news.example.com",
            [$"{Account}:Username"] = "me",
            [$"{Account}:Password"] = "secret of it",
            ["Arrs:0:Application"] = "Sonarr",
            ["Arrs:0:Url"] = "http://sonarr:8989",
            ["Arrs:0:ApiKey"] = "key of sonarr",
            ["Access:Oidc:Authority"] = "https://auth.example.com",
            ["Access:Oidc:ClientId"] = "nzbdav",
            ["Access:Oidc:ClientSecret"] = "secret of the client",
            ["Rclone:Url"] = "http://rclone:5572",
            ["Rclone:Password"] = "secret of rclone",
            ["Otlp:Endpoint"] = "http://collector:4318",
            ["Otlp:Headers"] = "x-key=secret",
        };
        foreach (var (path, value) in changes)
        {
            if (value is null)
                values.Remove(path);
            else
                values[path] = value;
        }

        return new SettingSources(new Microsoft.Extensions.Configuration.ConfigurationBuilder().Build()).Read(values).Entries;
    }
}

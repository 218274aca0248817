using System.Net;
using System.Text.Json;
using Microsoft.Extensions.Configuration;
using NzbDav.Content.Proxies;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Settings;
using NzbDav.MockUsenet.Providers;

namespace NzbDav.EndToEnd.Tests.Settings;

/// <summary>Weight, retention, backup and proxy of a provider: how they are read, shown and tested.</summary>
public sealed class ProviderSettingTests
{
    private const string Account = "NzbDav:Usenet:Providers:0";

    [Fact]
    public void Provider_settings_are_read_and_missing_ones_have_defaults()
    {
        var provider = Read(new()
        {
            ["Weight"] = "7",
            ["RetentionDays"] = "5800",
            ["BackupOnly"] = "true",
            ["Proxy"] = "socks5://me:pa%40ss@proxy.example.com:1080"
        }).Settings.Providers[0];
        Assert.Equal((7, 5_800, true), (provider.Weight, provider.RetentionDays, provider.BackupOnly));
        Assert.Equal(new ProxyAddress(ProxyKind.Socks5, "proxy.example.com", 1_080, "me", "pa@ss"), provider.Proxy);
        provider = Read([]).Settings.Providers[0];
        Assert.Equal((1, 0, false, null), (provider.Weight, provider.RetentionDays, provider.BackupOnly, provider.Proxy));
    }

    [Theory]
    [InlineData("Weight", "0", "0 is outside 1 … 100.")]
    [InlineData("Weight", "101", "101 is outside 1 … 100.")]
    [InlineData("RetentionDays", "-1", "-1 is outside 0 … 36500.")]
    [InlineData("BackupOnly", "maybe", "'maybe' is neither true nor false.")]
    [InlineData("Proxy", "ftp://me:s3cret@proxy:21", "it is not an address such as socks5://user:password@host:1080 or http://host:8080.")]
    public void A_wrong_value_is_refused_without_repeating_secrets(string name, string value, string said)
    {
        var fault = Assert.Single(Read(new() { [name] = value }).Faults);
        Assert.Equal(($"Usenet:Providers:0:{name}", said), (fault.Path, fault.Message));
    }

    [Fact]
    public void The_password_of_a_proxy_is_a_secret_in_settings_and_logs()
    {
        var reading = Read(new() { ["Proxy"] = "http://me:pa55w%40rd@proxy:3128" });
        Assert.Equal(SettingKind.Secret, reading.Entries.Single(static entry => entry.Path == "Usenet:Providers:0:Proxy").Kind);
        var clean = SettingSecrets.Filter(reading.Settings).Clean("asked with pa55w@rd and pa55w%40rd");
        Assert.DoesNotContain("pa55w", clean, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Providers_are_shown_without_secrets_and_the_test_uses_the_saved_proxy()
    {
        await using var proxy = new MockProxy { Credentials = "me:pa55word" };
        await using var news = new NewsServers(new MockProviderOptions { Name = "news-a", Username = "anna", Password = "secr3t-8" });
        await using var gateway = await Gateway.StartAsync(news, change: settings => settings with
        {
            Providers = [settings.Providers[0] with
            {
                Weight = 7,
                RetentionDays = 5_800,
                BackupOnly = true,
                Proxy = new ProxyAddress(ProxyKind.Socks5, "127.0.0.1", proxy.Port, "me", "pa55word"),
            }],
        });
        using var client = OperatorClient.Of(gateway);
        var file = news.Post("film.mkv", 5_000_000);
        await gateway.Client.AssertFileAsync(await gateway.ImportAsync("film", file) + "/film.mkv", file);

        var (_, list) = await client.AskAsync("GET", "/api/v1/providers");
        var shown = list.GetProperty("providers")[0];
        Assert.Equal((7, 5_800, true), (shown.GetProperty("weight").GetInt32(), shown.GetProperty("retentionDays").GetInt32(),
            shown.GetProperty("backupOnly").GetBoolean()));
        Assert.Equal($"socks5://127.0.0.1:{proxy.Port}", shown.GetProperty("proxy").GetString());
        Assert.Equal((file.Segments.Count, 0, false), (shown.GetProperty("lately").GetProperty("found").GetInt32(),
            shown.GetProperty("lately").GetProperty("damaged").GetInt32(), shown.GetProperty("isUnreliable").GetBoolean()));
        Assert.DoesNotContain("pa55word", list.ToString(), StringComparison.Ordinal);
        Assert.All(proxy.Asked, asked => Assert.Equal($"127.0.0.1:{news.First.Port}", asked));

        // The saved proxy, none, and an invalid one.
        var before = proxy.Asked.Count;
        Assert.Contains("through the proxy", await TestAsync("null"), StringComparison.Ordinal);
        Assert.True(proxy.Asked.Count > before, "the test went around the proxy");
        Assert.DoesNotContain("proxy", await TestAsync("\"\"", password: "\"secr3t-8\""), StringComparison.Ordinal);
        Assert.Contains("\"path\":\"proxy\"", await TestAsync("\"ftp://x\""), StringComparison.Ordinal);

        // Another proxy could read the saved password without TLS.
        Assert.Contains("\"path\":\"password\"", await TestAsync($"\"http://127.0.0.1:{proxy.Port}\""), StringComparison.Ordinal);

        async Task<string> TestAsync(string proxy, string password = "null")
        {
            var body = FormattableString.Invariant($$"""{"number":0,"host":"127.0.0.1","port":{{news.First.Port}},"useTls":false,"verifyCertificate":true,"username":"anna","password":{{password}},"proxy":{{proxy}},"maxConnections":10}""");
            var (status, answer) = await client.AskAsync("POST", "/api/v1/providers/test", body);
            Assert.True(status is HttpStatusCode.OK or HttpStatusCode.UnprocessableEntity, answer.ToString());
            return JsonSerializer.Serialize(answer);
        }
    }

    private static SettingsReading Read(Dictionary<string, string?> values)
    {
        var all = values.ToDictionary(static pair => $"{Account}:{pair.Key}", static pair => pair.Value);
        all[$"{Account}:Host"] = "news.example.com";
        return SettingsReader.Read(new ConfigurationBuilder().AddInMemoryCollection(all).Build());
    }
}

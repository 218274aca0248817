using System.Net;
using System.Net.Http.Headers;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Settings;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Seeding;

namespace NzbDav.EndToEnd.Tests.Qbit;

/// <summary>Settings and limits that clients change through the qBittorrent interface, on a whole server.</summary>
public sealed class QbitSettingTests
{
    private const string ClientKey = "fedcba9876543210";

    [Fact]
    public async Task QBT_10_Preferences_become_stored_settings_take_effect_at_once_and_survive_a_restart()
    {
        using var folder = new Folder();
        await using var news = new NewsServers();
        var environment = new Dictionary<string, string?>(SettingsClient.KeyAlone) { ["Api:ClientKey"] = ClientKey };
        await using (var gateway = await Gateway.StartAsync(news, folder, environment: environment))
        {
            using var http = Client(gateway, ClientKey);
            Assert.Equal(HttpStatusCode.OK, await PostAsync(http, "app/setPreferences", ("json", """{"dl_limit":1048576,"alt_dl_limit":10240,"max_ratio_enabled":true,"max_ratio":1.5,"max_active_downloads":3,"banned_IPs":"203.0.113.7"}""")));
            var settings = await new SettingsClient(gateway).GetAsync();
            foreach (var (path, value) in new[] { ("Torrents:DownloadLimit", "1024"), ("Torrents:AlternativeDownloadLimit", "10"),
                ("Torrents:Ratio", "1.5"), ("Torrents:MaxActiveDownloads", "3"), ("Torrents:BannedAddresses", "203.0.113.7") })
                Assert.Equal((path, value, "stored"),
                    (path, SettingsClient.Text(settings[path], "value"), SettingsClient.Text(settings[path], "source")));
            var seeding = gateway.Services.GetRequiredService<Live<SeedingOptions>>().Value;
            Assert.Equal((1.5, 3), (seeding.Limits.Ratio, seeding.MaxActiveDownloads));
            Assert.Equal(1_048_576, (await ReadAsync(http, "transfer/info")).GetProperty("dl_rate_limit").GetInt64());

            // The environment has precedence.
            Assert.Equal(HttpStatusCode.Conflict, await PostAsync(http, "app/setPreferences", ("json", """{"dht":true}""")));
            Assert.Equal(HttpStatusCode.Forbidden, await PostAsync(http, "app/setPreferences", ("json", """{"proxy_type":"SOCKS5","proxy_ip":"10.0.0.1"}""")));

            // The limit that was set is in force.
            Assert.Equal(HttpStatusCode.OK, await PostAsync(http, "transfer/toggleSpeedLimitsMode"));
            Assert.Equal("1", await http.GetStringAsync("transfer/speedLimitsMode"));
            Assert.Equal("10240", await http.GetStringAsync("transfer/downloadLimit"));
            Assert.Equal(HttpStatusCode.OK, await PostAsync(http, "transfer/setDownloadLimit", ("limit", "20480")));
            Assert.True((await ReadAsync(http, "sync/maindata?rid=0")).GetProperty("server_state").GetProperty("use_alt_speed_limits")
                .GetBoolean());
            Assert.Equal(HttpStatusCode.OK, await PostAsync(http, "transfer/setSpeedLimitsMode", ("mode", "0")));
            Assert.Equal("1048576", await http.GetStringAsync("transfer/downloadLimit"));
            Assert.Equal(
                "times", SettingsClient.Text((await new SettingsClient(gateway).GetAsync())["Torrents:AlternativeLimits"], "value"));
            Assert.Equal(HttpStatusCode.OK, await PostAsync(http, "transfer/setSpeedLimitsMode", ("mode", "1")));
            Assert.Equal(HttpStatusCode.OK, await PostAsync(http, "transfer/banPeers", ("peers", "203.0.113.9:6881")));
        }

        await using var again = await Gateway.StartAsync(news, folder, environment: environment);
        using var client = Client(again, ClientKey);
        Assert.Equal("1", await client.GetStringAsync("transfer/speedLimitsMode"));
        var preferences = await ReadAsync(client, "app/preferences");
        Assert.Equal((1_048_576, 20_480, 1.5), (preferences.GetProperty("dl_limit").GetInt64(),
            preferences.GetProperty("alt_dl_limit").GetInt64(), preferences.GetProperty("max_ratio").GetDouble()));
        Assert.Equal("203.0.113.7\n203.0.113.9", preferences.GetProperty("banned_IPs").GetString());
    }

    private static HttpClient Client(Gateway gateway, string key)
    {
        var http = new HttpClient { BaseAddress = new Uri(gateway.Root + "/api/v2/") };
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", key);
        return http;
    }

    private static async Task<HttpStatusCode> PostAsync(HttpClient http, string call, params (string Name, string Value)[] form)
    {
        using var body = new FormUrlEncodedContent(form.Select(field => KeyValuePair.Create(field.Name, field.Value)));
        using var response = await http.PostAsync(call, body);
        return response.StatusCode;
    }

    private static async Task<JsonElement> ReadAsync(HttpClient http, string call) =>
        JsonDocument.Parse(await http.GetStringAsync(call)).RootElement;
}

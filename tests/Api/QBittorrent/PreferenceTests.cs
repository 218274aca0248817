using System.Net;
using System.Text.Json;
using NzbDav.Content.Proxies;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>Settings that clients change, and the global limits.</summary>
public sealed class PreferenceTests
{
    private static readonly (string Name, string Value)[] Administrator = [("Authorization", "Bearer " + SabFixture.Key)];

    /// <summary>The JSON that a client sends, the setting it maps to, the setting's new value, and the value returned afterwards.</summary>
    [Theory]
    [InlineData("""{"dl_limit":1048576}""", "Torrents:DownloadLimit", "1024", "dl_limit", "1048576")]
    [InlineData("""{"up_limit":"500"}""", "Torrents:UploadLimit", "1", "up_limit", "1024")]
    [InlineData("""{"alt_dl_limit":10240}""", "Torrents:AlternativeDownloadLimit", "10", "alt_dl_limit", "10240")]
    [InlineData("""{"alt_up_limit":20480}""", "Torrents:AlternativeUploadLimit", "20", "alt_up_limit", "20480")]
    [InlineData("""{"scheduler_enabled":true,"schedule_from_hour":22,"schedule_from_min":30,"schedule_to_hour":6,"schedule_to_min":0,"scheduler_days":1}""", "Torrents:AlternativeTimes", "mon-fri 22:30-06:00", "scheduler_days", "1")]
    [InlineData("""{"scheduler_enabled":true}""", "Torrents:AlternativeTimes", "08:00-20:00", "scheduler_enabled", "true")]
    [InlineData("""{"encryption":1}""", "Torrents:Encryption", "require", "encryption", "1")]
    [InlineData("""{"dht":false}""", "Torrents:Dht", "false", "dht", "false")]
    [InlineData("""{"pex":"False"}""", "Torrents:PeerExchange", "false", "pex", "false")]
    [InlineData("""{"bittorrent_protocol":0}""", "Torrents:Utp", "on", "bittorrent_protocol", "0")]
    [InlineData("""{"lsd":0}""", "Torrents:LocalDiscovery", "false", "lsd", "false")]
    [InlineData("""{"max_connec":200}""", "Torrents:MaxConnections", "200", "max_connec", "200")]
    [InlineData("""{"max_connec":-1}""", "Torrents:MaxConnections", "20000", "max_connec", "20000")]
    [InlineData("""{"max_connec_per_torrent":5000}""", "Torrents:MaxPeers", "1000", "max_connec_per_torrent", "1000")]
    [InlineData("""{"max_uploads_per_torrent":4}""", "Torrents:UploadSlots", "4", "max_uploads_per_torrent", "4")]
    [InlineData("""{"max_active_downloads":3}""", "Torrents:MaxActiveDownloads", "3", "max_active_downloads", "3")]
    [InlineData("""{"max_active_uploads":7}""", "Torrents:MaxActiveSeeds", "7", "max_active_uploads", "7")]
    [InlineData("""{"max_ratio_enabled":true,"max_ratio":1.5}""", "Torrents:Ratio", "1.5", "max_ratio", "1.5")]
    [InlineData("""{"max_ratio":2}""", "Torrents:Ratio", "2", "max_ratio_enabled", "true")]
    [InlineData("""{"max_seeding_time_enabled":true,"max_seeding_time":90}""", "Torrents:SeedMinutes", "90", "max_seeding_time", "90")]
    [InlineData("""{"max_inactive_seeding_time_enabled":true,"max_inactive_seeding_time":0}""", "Torrents:SeedIdleMinutes", "1", "max_inactive_seeding_time", "1")]
    [InlineData("""{"max_ratio_act":3}""", "Torrents:AtLimit", "removeData", "max_ratio_act", "3")]
    [InlineData("""{"banned_IPs":"203.0.113.7\nnonsense\n2001:db8::1"}""", "Torrents:BannedAddresses", "203.0.113.7,2001:db8::1", "banned_IPs", "\"203.0.113.7\\n2001:db8::1\"")]
    [InlineData("""{"dht_bootstrap_nodes":"a.example:1, b.example:2"}""", "Torrents:DhtBootstrap", "a.example:1,b.example:2", "dht_bootstrap_nodes", "\"a.example:1, b.example:2\"")]
    public async Task QBT_10_A_preference_that_maps_to_a_setting_is_stored_and_returned(
        string json, string path, string value, string name, string told)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        Assert.Equal((HttpStatusCode.OK, ""), await qbit.DoAsync("app/setPreferences", new() { ["json"] = json }));
        Assert.Equal(value, qbit.Settings[path]);
        Assert.Equal(told, (await qbit.ReadAsync("app/preferences")).GetProperty(name).GetRawText());
    }

    [Theory]
    [InlineData("""{"listen_port":51413}""", "Torrents:Port", "51413")]
    [InlineData("""{"upnp":false}""", "Torrents:PortMapping", "false")]
    [InlineData("""{"proxy_type":"SOCKS5","proxy_ip":"10.8.0.1","proxy_port":1080,"proxy_auth_enabled":true,"proxy_username":"me","proxy_password":"a:b@c"}""", "Torrents:Proxy", "socks5://me:a%3Ab%40c@10.8.0.1:1080")]
    [InlineData("""{"proxy_type":"HTTP","proxy_ip":"2001:db8::1","proxy_port":3128}""", "Torrents:Proxy", "http://[2001:db8::1]:3128")]
    [InlineData("""{"ip_filter_enabled":true,"ip_filter_path":"/data/level1.p2p"}""", "Torrents:Blocklist", "/data/level1.p2p")]
    [InlineData("""{"current_network_interface":"wg0"}""", "Torrents:Bind", "wg0")]
    [InlineData("""{"current_network_interface":"eth0","current_interface_address":"10.8.0.2"}""", "Torrents:Bind", "10.8.0.2")]
    [InlineData("""{"bypass_local_auth":true}""", "Qbit:TrustLocalhost", "true")]
    [InlineData("""{"bypass_auth_subnet_whitelist_enabled":true,"bypass_auth_subnet_whitelist":"10.0.0.0/8\n192.168.1.5/32"}""", "Qbit:Networks", "10.0.0.0/8,192.168.1.5/32")]
    [InlineData("""{"web_ui_max_auth_fail_count":3}""", "Qbit:MaxFailures", "3")]
    [InlineData("""{"web_ui_ban_duration":90}""", "Qbit:BanMinutes", "2")]
    public async Task QBT_10_Only_administrators_change_network_and_sign_in_settings(string json, string path, string value)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var before = qbit.Settings[path];
        Assert.Equal(HttpStatusCode.Forbidden, (await qbit.DoAsync("app/setPreferences", new() { ["json"] = json })).Status);
        Assert.Equal(before, qbit.Settings[path]);
        using var done = await qbit.PostAsync("app/setPreferences", new() { ["json"] = json }, Administrator);
        Assert.Equal(HttpStatusCode.OK, done.StatusCode);
        Assert.Equal(value, qbit.Settings[path]);
    }

    /// <summary>As the up and down commands of gluetun send it after each connect: from the same machine, without a login.</summary>
    [Theory]
    [InlineData(true, """{"listen_port":23456}""", HttpStatusCode.OK, "23456")]
    [InlineData(
        true, """{"listen_port":23456,"current_network_interface":"tun0","random_port":false,"upnp":false}""", HttpStatusCode.OK, "23456")]
    [InlineData(true, """{"listen_port":0,"current_network_interface":"lo"}""", HttpStatusCode.OK, "0")]
    [InlineData(true, """{"current_network_interface":"tun0"}""", HttpStatusCode.Forbidden, "0")]
    [InlineData(true, """{"upnp":false}""", HttpStatusCode.Forbidden, "0")]
    [InlineData(true, """{"bypass_local_auth":true}""", HttpStatusCode.Forbidden, "0")]
    [InlineData(false, """{"listen_port":23456}""", HttpStatusCode.Forbidden, "0")]
    public async Task QBT_10_Who_need_not_log_in_may_tell_the_port_and_change_no_other_setting_of_the_network(
        bool trusted, string json, HttpStatusCode status, string port)
    {
        await using var qbit = await QbitFixture.OpenAsync(options => options with { TrustsThisMachine = trusted });
        using var reply = await qbit.PostAsync("app/setPreferences", new() { ["json"] = json }, ("Accept", "*/*"));
        Assert.Equal((status, port), (reply.StatusCode, qbit.Settings["Torrents:Port"]));
        string[] others = ["Torrents:Bind", "Torrents:PortMapping", "Qbit:TrustLocalhost"];
        Assert.Equal([null, "true", "false"], others.Select(path => qbit.Settings[path]));
    }

    [Fact]
    public async Task QBT_10_A_proxy_password_is_not_returned_and_not_sent_to_another_host()
    {
        await using var qbit = await QbitFixture.OpenAsync(
            options => options with { Proxy = new ProxyAddress(ProxyKind.Socks5, "old.example", 1080, "me", "secret") });
        var told = await qbit.ReadAsync("app/preferences");
        Assert.Equal(("SOCKS5", "old.example", "me", ""), (told.GetProperty("proxy_type").GetString(), told.GetProperty("proxy_ip")
            .GetString(), told.GetProperty("proxy_username").GetString(), told.GetProperty("proxy_password").GetString()));
        using (await qbit.PostAsync("app/setPreferences", new() { ["json"] = """{"proxy_ip":"evil.example"}""" }, Administrator))
            Assert.Equal("socks5://me:@evil.example:1080", qbit.Settings["Torrents:Proxy"]);
        using (await qbit.PostAsync("app/setPreferences", new() { ["json"] = """{"proxy_password":"new"}""" }, Administrator))
            Assert.Equal("socks5://me:new@old.example:1080", qbit.Settings["Torrents:Proxy"]);
        using (await qbit.PostAsync("app/setPreferences", new() { ["json"] = """{"proxy_type":"None"}""" }, Administrator))
            Assert.Null(qbit.Settings["Torrents:Proxy"]);
    }

    [Fact]
    public async Task QBT_10_Sending_returned_preferences_back_changes_nothing()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        var all = (await qbit.ReadAsync("app/preferences")).GetRawText();
        Assert.Equal((HttpStatusCode.OK, ""), await qbit.DoAsync("app/setPreferences", new() { ["json"] = all }));
        Assert.Empty(qbit.Settings.Changes);
    }

    [Theory]
    [InlineData("{}", HttpStatusCode.OK)]
    [InlineData("""{"no_such_thing":1,"save_path":"/elsewhere","dl_limit":"fast","web_ui_port":1}""", HttpStatusCode.OK)]
    [InlineData("{", HttpStatusCode.BadRequest)]
    [InlineData("[]", HttpStatusCode.BadRequest)]
    [InlineData("", HttpStatusCode.BadRequest)]
    public async Task QBT_10_Unknown_preferences_are_ignored_and_invalid_json_is_refused(string json, HttpStatusCode expected)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        Assert.Equal(expected, (await qbit.DoAsync("app/setPreferences", new() { ["json"] = json })).Status);
        Assert.Empty(qbit.Settings.Changes);
        Assert.Equal(HttpStatusCode.BadRequest, (await qbit.DoAsync("app/setPreferences")).Status);
    }

    [Fact]
    public async Task QBT_10_A_preference_set_by_the_environment_is_a_conflict_and_nothing_changes()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        qbit.Settings.Locked.Add("Torrents:Dht");
        var (status, text) = await qbit.DoAsync("app/setPreferences", new() { ["json"] = """{"dht":false,"pex":false}""" });
        Assert.Equal(HttpStatusCode.Conflict, status);
        Assert.Contains("Torrents:Dht", text, StringComparison.Ordinal);
        Assert.Equal("true", qbit.Settings["Torrents:PeerExchange"]);

        // The value is already in force, so there is nothing to refuse.
        Assert.Equal(HttpStatusCode.OK, (await qbit.DoAsync("app/setPreferences", new() { ["json"] = """{"dht":true,"pex":false}""" })).Status);
        Assert.Equal("false", qbit.Settings["Torrents:PeerExchange"]);
    }

    [Fact]
    public async Task QBT_11_Global_limits_can_be_set_and_peers_banned()
    {
        await using var qbit = await QbitFixture.OpenAsync();
        Assert.Equal((HttpStatusCode.OK, ""), await qbit.DoAsync("transfer/setDownloadLimit", new() { ["limit"] = "2097152" }));
        Assert.Equal((HttpStatusCode.OK, ""), await qbit.DoAsync("transfer/setUploadLimit", new() { ["limit"] = "1" }));
        Assert.Equal(("2048", "1"), (qbit.Settings["Torrents:DownloadLimit"], qbit.Settings["Torrents:UploadLimit"]));
        Assert.Equal(HttpStatusCode.OK, (await qbit.DoAsync("transfer/setUploadLimit", new() { ["limit"] = "0" })).Status);
        Assert.Equal("0", qbit.Settings["Torrents:UploadLimit"]);
        Assert.Equal(HttpStatusCode.BadRequest, (await qbit.DoAsync("transfer/setUploadLimit")).Status);

        Assert.Equal((HttpStatusCode.OK, ""),
            await qbit.DoAsync("transfer/banPeers", new() { ["peers"] = "203.0.113.7:6881|[2001:db8::1]:51413|rubbish" }));
        await qbit.DoAsync("transfer/banPeers", new() { ["peers"] = "203.0.113.7:1|203.0.113.8:2" });
        Assert.Equal("203.0.113.7,2001:db8::1,203.0.113.8", qbit.Settings["Torrents:BannedAddresses"]);
        Assert.Equal(HttpStatusCode.BadRequest, (await qbit.DoAsync("transfer/banPeers")).Status);
    }

    [Theory]
    [InlineData("1", HttpStatusCode.OK)]
    [InlineData("x", HttpStatusCode.BadRequest)]
    public async Task QBT_11_The_speed_limits_mode_must_be_a_number(string mode, HttpStatusCode expected)
    {
        await using var qbit = await QbitFixture.OpenAsync();
        Assert.Equal(expected, (await qbit.DoAsync("transfer/setSpeedLimitsMode", new() { ["mode"] = mode })).Status);
        Assert.Equal(HttpStatusCode.OK, (await qbit.DoAsync("transfer/toggleSpeedLimitsMode")).Status);
        Assert.Equal(JsonValueKind.Number, (await qbit.ReadAsync("transfer/info")).GetProperty("dht_nodes").ValueKind);
    }
}

using System.Net;
using System.Text.Json;
using NzbDav.Access.Attempts;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Tests.Sab;

/// <summary>Which key gives access to which call.</summary>
public sealed class AccessTests
{
    /// <summary>Each call and the right it requires: none, reading, adding jobs, or full access.</summary>
    public static TheoryData<string, ApiRights> Calls => new()
    {
        { "mode=version", ApiRights.None },
        { "mode=auth", ApiRights.None },
        { "mode=queue", ApiRights.Read },
        { "mode=history", ApiRights.Read },
        { "mode=get_config", ApiRights.Read },
        { "mode=fullstatus", ApiRights.Read },
        { "mode=status", ApiRights.Read },
        { "mode=get_cats", ApiRights.Read },
        { "mode=get_scripts", ApiRights.Read },
        { "mode=get_files&value=x", ApiRights.Read },
        { "mode=server_stats", ApiRights.Read },
        { "mode=warnings", ApiRights.Read },
        { "mode=addfile", ApiRights.Add },
        { "mode=addurl", ApiRights.Add },
        { "mode=addlocalfile", ApiRights.Full },
        { "mode=warnings&name=clear", ApiRights.Full },
        { "mode=queue&name=delete&value=x", ApiRights.Change },
        { "mode=queue&name=pause&value=x", ApiRights.Change },
        { "mode=history&name=delete&value=x", ApiRights.Change },
        { "mode=retry&value=x", ApiRights.Add | ApiRights.Change },
        { "mode=config&name=set_pause&value=1", ApiRights.Change },
        { "mode=pause", ApiRights.Change },
        { "mode=resume", ApiRights.Change },
        { "mode=config&name=speedlimit&value=1M", ApiRights.Full },
        { "mode=switch&value=x&value2=0", ApiRights.Change },
        { "mode=change_cat&value=x&value2=tv", ApiRights.Change },
    };

    [Theory]
    [MemberData(nameof(Calls))]
    public async Task SAB_04_each_call_accepts_only_the_keys_with_its_right(string query, ApiRights needs)
    {
        await using var sab = await SabFixture.OpenAsync();
        Assert.Equal(needs == ApiRights.None, await IsOpenAsync("", "API Key Required"));
        Assert.Equal(needs == ApiRights.None, await IsOpenAsync("wrong", "API Key Incorrect"));
        Assert.Equal((ApiRights.Read & needs) == needs, await IsOpenAsync(SabFixture.ReadKey, "API Key Incorrect"));
        Assert.Equal((ApiRights.Add & needs) == needs, await IsOpenAsync(SabFixture.AddKey, "API Key Incorrect"));
        Assert.Equal(!needs.HasFlag(ApiRights.Manage), await IsOpenAsync(SabFixture.ClientKey, "API Key Incorrect"));
        Assert.True(await IsOpenAsync(SabFixture.Key, "API Key Incorrect"));

        async Task<bool> IsOpenAsync(string key, string refusal)
        {
            var answer = await sab.AskAsync($"{query}&apikey={key}");
            if (!answer.TryGetProperty("error", out var error) || error.GetString() != refusal)
                return error.ValueKind != JsonValueKind.String || !error.GetString()!.StartsWith("API Key", StringComparison.Ordinal);
            Assert.False(answer.GetProperty("status").GetBoolean());
            return false;
        }
    }

    [Fact]
    public async Task SAB_04_the_key_may_be_in_the_form_and_the_path_below_sabnzbd()
    {
        await using var sab = await SabFixture.OpenAsync();
        using var form = new FormUrlEncodedContent(
            new Dictionary<string, string>(StringComparer.Ordinal) { ["mode"] = "queue", ["apikey"] = SabFixture.Key });
        foreach (var path in (string[])["/api", "/api/", "/sabnzbd/api", "/sabnzbd/api/"])
        {
            using var response = await sab.Http.PostAsync(path, form);
            Assert.Contains("\"queue\"", await response.Content.ReadAsStringAsync(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("", "apikey")]
    [InlineData("&apikey=wrong", "badkey")]
    [InlineData("&apikey=" + SabFixture.AddKey, "nzbkey")]
    [InlineData("&apikey=" + SabFixture.ClientKey, "apikey")]
    [InlineData("&apikey=" + SabFixture.Key, "apikey")]
    public async Task SAB_04_auth_returns_the_kind_of_a_key(string key, string expected)
    {
        await using var sab = await SabFixture.OpenAsync();
        using var response = await sab.Http.GetAsync("/api?mode=auth" + key);
        Assert.Equal($"{{\"auth\":\"{expected}\"}}", await response.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task SAB_04_wrong_keys_slow_an_address_down_but_not_clients_with_the_right_key()
    {
        await using var sab = await SabFixture.OpenAsync();
        await AskAsync(SabFixture.Key);
        for (var i = 0; i < 30; i++)
            Assert.Equal("API Key Incorrect", await AskAsync("the same wrong key"));
        for (var i = 0; i < 9; i++)
            Assert.Equal("API Key Incorrect", await AskAsync($"wrong-{i}"));

        // Ten attempts are free; then one a second is let through.
        Assert.Equal("API Key Incorrect", await AskAsync("wrong-9"));
        Assert.Equal(AttemptGate.TooMany, await AskAsync("wrong-10"));
        Assert.Null(await AskAsync(SabFixture.Key));

        // A right key that nobody has used yet is refused as well, or guessing would be possible. So is the call that distinguishes right
        // from wrong keys.
        using (var refused = await sab.SendAsync($"mode=auth&apikey={SabFixture.ReadKey}"))
        {
            Assert.Equal(TimeSpan.FromSeconds(1), refused.Headers.RetryAfter!.Delta);
            var answer = JsonDocument.Parse(await refused.Content.ReadAsStringAsync()).RootElement;
            Assert.False(answer.GetProperty("status").GetBoolean());
        }

        sab.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Null(await AskAsync(SabFixture.ReadKey));
        sab.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal("API Key Incorrect", await AskAsync("wrong-11"));
        Assert.Equal(AttemptGate.TooMany, await AskAsync("wrong-12"));
        Assert.Null(await AskAsync(SabFixture.ReadKey));
        sab.Time.Advance(TimeSpan.FromMinutes(5));
        Assert.Equal("API Key Incorrect", await AskAsync("wrong-13"));
        Assert.Equal("API Key Incorrect", await AskAsync("wrong-14"));

        // The same with the key in the form.
        async Task<string?> AskAsync(string key)
        {
            using var form = new FormUrlEncodedContent(
                new Dictionary<string, string>(StringComparer.Ordinal) { ["mode"] = "queue", ["apikey"] = key });
            using var response = await sab.Http.PostAsync("/api", form);
            Assert.Equal(HttpStatusCode.OK, response.StatusCode);
            return JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement.TryGetProperty("error", out var error)
                ? error.GetString() : null;
        }
    }

    [Fact]
    public async Task A_read_key_sees_neither_archive_passwords_nor_indexer_keys()
    {
        const string Url = "https://indexer.example:8443/getnzb/abc.nzb?i=1&r=the-key-of-the-indexer";
        await using var sab = await SabFixture.OpenAsync();
        using (var nzb = new MemoryStream(SabFixture.Nzb("waiting")))
            await sab.Jobs.EnqueueAsync(new NewJob
            {
                Name = "waiting",
                Category = "tv",
                Source = JobSource.Api,
                Password = "of the archive",
                Url = Url
            }, nzb, CancellationToken.None);
        await sab.Jobs.EnqueueAsync(
            new NewJob
            {
                Name = "failed",
                Category = "tv",
                Source = JobSource.Api,
                Password = "of the archive",
                Url = Url,
                FailureCode = "url-fetch",
                FailureMessage = "no"
            }, nzb: null, CancellationToken.None);
        foreach (var key in (string[])[SabFixture.Key, SabFixture.ClientKey])
        {
            Assert.Equal("of the archive", await QueueAsync(key));
            Assert.Equal(("of the archive", Url), await HistoryAsync(key));
        }

        Assert.Equal("", await QueueAsync(SabFixture.ReadKey));
        Assert.Equal(("", "https://indexer.example:8443/"), await HistoryAsync(SabFixture.ReadKey));

        async Task<string?> QueueAsync(string key) =>
            Slot(await sab.AskAsync("mode=queue&apikey=" + key), "queue").GetProperty("password").GetString();
        async Task<(string?, string?)> HistoryAsync(string key)
        {
            var slot = Slot(await sab.AskAsync("mode=history&apikey=" + key), "history");
            return (slot.GetProperty("password").GetString(), slot.GetProperty("url").GetString());
        }

        static JsonElement Slot(JsonElement answer, string list) =>
            Assert.Single(answer.GetProperty(list).GetProperty("slots").EnumerateArray());
    }

    [Fact]
    public void Ids_round_trip_and_other_text_is_refused()
    {
        foreach (var id in (long[])[1, 35, 36, 1L << 53, long.MaxValue])
            Assert.Equal(id, NzoId.Parse(NzoId.Of(id)));
        foreach (var other in (string[])["", "SABnzbd_nzo_", "SABnzbd_nzo_ab12cd34", NzoId.Of(5).ToUpperInvariant(), NzoId.Of(0),
            "SABnzbd_nzo_zzzzzzzzzzzzz"])
            Assert.Null(NzoId.Parse(other));
    }
}

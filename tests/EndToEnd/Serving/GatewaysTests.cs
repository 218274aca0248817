using System.Net;
using System.Net.Http.Json;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Fakes;
using NzbDav.Host.Settings;
using NzbDav.Import.Queue;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.EndToEnd.Tests.Serving;

/// <summary>Two gateways with one catalog in PostgreSQL, each with a configuration folder of its own.</summary>
[Collection(PostgresFactAttribute.Collection)]
public sealed class GatewaysTests : IAsyncLifetime
{
    private const string Lock =
        "<?xml version=\"1.0\"?><D:lockinfo " +
        "xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>";

    private readonly NewsServers _news = new();
    private string? _database;
    private Gateway _one = null!;
    private Gateway _two = null!;

    public async ValueTask InitializeAsync()
    {
        if (PostgresServer.WhyNot is not null)
            return;
        _database = PostgresServer.Shared.NewDatabase();
        var environment = new Dictionary<string, string?>(SettingsClient.KeyAndLogin, StringComparer.Ordinal)
        { ["Catalog:Connection"] = _database };
        environment.Remove("Api:Key");

        // At the same time, so that both make keys.
        var both = await Task.WhenAll(
            Gateway.StartAsync(_news, environment: environment), Gateway.StartAsync(_news, environment: environment));
        (_one, _two) = (both[0], both[1]);
    }

    public async ValueTask DisposeAsync()
    {
        if (_database is not null)
        {
            await _one.DisposeAsync();
            await _two.DisposeAsync();
            PostgresServer.Shared.Drop(_database);
        }

        await _news.DisposeAsync();
    }

    [PostgresFact]
    public async Task The_key_of_one_opens_the_other()
    {
        var key = await File.ReadAllTextAsync(Path.Combine(_one.ConfigFolder, "keys", "api"));
        using var client = new OperatorClient(_two.Root, key);
        await client.OkAsync("/api/v1/users");
    }

    [PostgresFact]
    public async Task A_setting_takes_effect_on_the_other_and_a_secret_can_be_read_there()
    {
        var book = _two.Services.GetRequiredService<SettingsBook>();
        var changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        book.Changed += _ => changed.TrySetResult();
        using var client = OperatorClient.Of(_one);

        var (status, body) = await client.AskAsync(
            "PATCH", SettingsClient.Path, JsonSerializer.Serialize(SettingsClient.Account(_news.First, 0, "a-secret-password")));
        Assert.True(status == HttpStatusCode.OK, body.ToString());

        await changed.Task.WaitAsync(Deadline.Token);
        Assert.Equal("a-secret-password", Assert.Single(book.Current.Providers).Password);
        Assert.Empty(book.Ignored);
    }

    [PostgresFact]
    public async Task A_job_that_is_dropped_on_one_is_seen_and_read_on_both()
    {
        await AddProviderAsync();
        var file = _news.Post("film.mkv", 3_000_000);
        await _one.ImportAsync("film", file);
        var job = (await _one.FindJobAsync("film"))!;

        Assert.Equal(job.Id, (await _two.Services.GetRequiredService<JobOutcome>().WaitAsync(job.Id, Deadline.Token))?.Id);
        foreach (var gateway in (Gateway[])[_one, _two])
            await gateway.Client.AssertFileAsync("/dav/content/movies/film/film.mkv", file);
    }

    [PostgresFact]
    public async Task A_file_that_is_deleted_on_one_is_gone_on_the_other()
    {
        await AddProviderAsync();
        await _one.ImportAsync("film", _news.Post("film.mkv", 300_000));
        await _two.Client.UntilAsync("/dav/content/movies/film/film.mkv");

        Assert.Equal(HttpStatusCode.NoContent, (await _one.Client.AskAsync("DELETE", "/dav/content/movies/film")).Status);

        await _two.Client.UntilAsync("/dav/content/movies/film", isThere: false);
    }

    [PostgresFact]
    public async Task A_signed_link_of_one_opens_the_file_on_the_other_until_links_are_revoked()
    {
        await AddProviderAsync();
        var file = _news.Post("film.mkv", 300_000);
        await _one.ImportAsync("film", file);
        using var here = OperatorClient.Of(_one);
        using var there = new DavClient(_two.Root);
        var id = await here.IdAsync("/content/movies/film", "film.mkv");
        var path = (await here.AskAsync("POST", $"/api/v1/files/{id}/link", "{}")).Body.GetProperty("path").GetString()!;
        await there.AssertFileAsync(path, file);

        Assert.Equal(HttpStatusCode.NoContent, (await here.AskAsync("DELETE", "/api/v1/links")).Status);
        await Deadline.UntilAsync(
            async () => (await there.AskAsync("GET", path)).Status == HttpStatusCode.NotFound, "the link opens nothing");
    }

    [PostgresFact]
    public async Task A_session_of_one_is_one_of_the_other_until_it_ends()
    {
        using var operators = OperatorClient.Of(_one);
        foreach (var user in (string[])["bob", "ann"])
        {
            var (made, why) = await operators.AskAsync("POST", "/api/v1/users", $$"""{"username":"{{user}}","password":"correct horse battery","role":"administrator"}""");
            Assert.True(made is HttpStatusCode.OK or HttpStatusCode.Created, why.ToString());
        }

        using var browser = new HttpClient(new HttpClientHandler { UseCookies = false });
        using var signedIn = await browser.PostAsJsonAsync(
            new Uri(_one.Root + "/api/v1/session"), new { username = "ann", password = "correct horse battery" });
        Assert.Equal(HttpStatusCode.OK, signedIn.StatusCode);
        var cookie = string.Join("; ", signedIn.Headers.GetValues("Set-Cookie").Select(static one => one.Split(';')[0]));
        Assert.Equal("ann", await NameAsync(_two));

        var (ended, reason) = await operators.AskAsync("DELETE", "/api/v1/users/ann");
        Assert.True(ended is HttpStatusCode.OK or HttpStatusCode.NoContent, reason.ToString());

        await Deadline.UntilAsync(async () => await NameAsync(_two) is null, "the session opens nothing");

        async Task<string?> NameAsync(Gateway gateway)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, gateway.Root + "/api/v1/session");
            request.Headers.Add("Cookie", cookie);
            using var response = await browser.SendAsync(request);
            var session = JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement;
            return session.TryGetProperty("username", out var name) ? name.GetString() : null;
        }
    }

    [PostgresFact]
    public async Task A_lock_that_one_gives_keeps_clients_of_the_other_out()
    {
        await AddProviderAsync();
        var file = _news.Post("film.mkv", 300_000);
        const string Dropped = "/dav/nzbs/movies/film.nzb";
        using var taken = await _one.Client.SendAsync(
            "LOCK", Dropped, new StringContent(Lock, Encoding.UTF8, "application/xml"), headers => headers.Add("Depth", "0"));
        Assert.Equal(HttpStatusCode.Created, taken.StatusCode);
        var token = Assert.Single(taken.Headers.GetValues("Lock-Token"));

        await Deadline.UntilAsync(async () => (await _two.Client.AskAsync(
            "PUT", Dropped, NzbWriter.ToBytes([file]))).Status == HttpStatusCode.Locked, "the other knows the lock");
        using (var again = await _two.Client.SendAsync(
            "LOCK", Dropped, new StringContent(Lock, Encoding.UTF8, "application/xml"), headers => headers.Add("Depth", "0")))
            Assert.Equal(HttpStatusCode.Locked, again.StatusCode);

        using (var freed = await _two.Client.SendAsync("UNLOCK", Dropped, body: null, headers => headers.Add("Lock-Token", token)))
            Assert.Equal(HttpStatusCode.NoContent, freed.StatusCode);
        await Deadline.UntilAsync(async () => (await _one.Client.AskAsync("PUT", Dropped, NzbWriter.ToBytes([file]))).Status
            is HttpStatusCode.Created or HttpStatusCode.NoContent, "the one takes it");
        await _two.Client.UntilAsync("/dav/content/movies/film/film.mkv");
    }

    /// <summary>On the one; the other hears of it.</summary>
    private async Task AddProviderAsync()
    {
        using var client = OperatorClient.Of(_one);
        var (status, body) = await client.AskAsync(
            "PATCH", SettingsClient.Path, JsonSerializer.Serialize(SettingsClient.Account(_news.First, 0, "secret")));
        Assert.True(status == HttpStatusCode.OK, body.ToString());
        var book = _two.Services.GetRequiredService<SettingsBook>();
        await Deadline.UntilAsync(() => book.Current.Providers.Count == 1, "the other has the account");
    }
}

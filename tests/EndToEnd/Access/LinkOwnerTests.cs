using System.Buffers.Binary;
using System.Buffers.Text;
using System.Net;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Catalog.Users;
using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Library;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>Signed links end with the user or key that made them, and their makers can revoke them.</summary>
public sealed class LinkOwnerTests
{
    private const string Password = "correct horse battery";
    private const string ReadKey = "the-read-key-of-it";

    [Fact]
    public async Task A_link_ends_with_its_user_and_a_user_of_the_same_name_does_not_revive_it()
    {
        await using var news = new NewsServers();
        await using var site = await Site.StartAsync(news);
        var vera = await site.SignInAsync("vera", UserRole.Viewer);
        var link = await vera.MakeAsync();
        Assert.Equal(HttpStatusCode.OK, await site.OpenAsync(link));

        Assert.Equal(AccountOutcome.Done, (await site.Accounts.RemoveAsync("vera", Deadline.Token)).Outcome);
        Assert.Equal(HttpStatusCode.NotFound, await site.OpenAsync(link));
        var again = await site.SignInAsync("vera", UserRole.Viewer);
        Assert.Equal(HttpStatusCode.NotFound, await site.OpenAsync(link));
        Assert.Empty(await again.ListAsync());

        // Another role still reads; another password ends the links as it ends the sessions.
        var second = await again.MakeAsync();
        Assert.Equal(AccountOutcome.Done, (await site.Accounts.SetRoleAsync("vera", UserRole.Operator, Deadline.Token)).Outcome);
        Assert.Equal(HttpStatusCode.OK, await site.OpenAsync(second));
        Assert.Equal(AccountOutcome.Done, (await site.Accounts.SetPasswordAsync("vera", Password + " two", Deadline.Token)).Outcome);
        Assert.Equal(HttpStatusCode.NotFound, await site.OpenAsync(second));
    }

    [Fact]
    public async Task A_link_ends_with_the_key_that_made_it()
    {
        await using var news = new NewsServers();
        await using var site = await Site.StartAsync(news);
        var reader = site.WithKey(ReadKey);
        var (link, full) = (await reader.MakeAsync(), await site.WithKey(SettingsClient.Key).MakeAsync());
        Assert.Equal(HttpStatusCode.OK, await site.OpenAsync(link));
        Assert.Equal("read", Assert.Single(await reader.ListAsync()).GetProperty("maker").GetString());

        await new SettingsClient(site.Gateway)
            .ChangeAsync(new Dictionary<string, object>(StringComparer.Ordinal) { ["Api:ReadKey"] = "another-read-key" });
        Assert.Equal(HttpStatusCode.NotFound, await site.OpenAsync(link));
        Assert.Empty(await site.WithKey("another-read-key").ListAsync());
        Assert.Equal(HttpStatusCode.OK, await site.OpenAsync(full));
        await new SettingsClient(site.Gateway)
            .ChangeAsync(new Dictionary<string, object>(StringComparer.Ordinal) { ["Api:ReadKey"] = ReadKey });
        Assert.Equal(HttpStatusCode.OK, await site.OpenAsync(link));
    }

    [Fact]
    public async Task A_link_of_a_trusted_network_ends_with_the_trust()
    {
        await using var news = new NewsServers();
        await using var site = await Site.StartAsync(news);
        await site.SignInAsync("anna", UserRole.Administrator);
        var settings = new SettingsClient(site.Gateway);
        await settings.ChangeAsync(
            new Dictionary<string, object>(StringComparer.Ordinal) { ["Access:LanNetworks"] = "127.0.0.0/8", ["Access:NoProxy"] = true });
        var guest = await site.GuestAsync();
        var (status, made) = await guest.SendAsync("POST", site.LinkPath, new { hours = 100 });
        Assert.Equal(HttpStatusCode.OK, status);
        Assert.InRange(made.GetProperty("expires").GetDateTimeOffset(), TimeProvider.System.GetUtcNow().AddHours(23.9),
            TimeProvider.System.GetUtcNow().AddHours(24));
        var link = made.GetProperty("path").GetString()!;
        Assert.Equal(HttpStatusCode.OK, await site.OpenAsync(link));
        Assert.Equal("network", Assert.Single(await guest.ListAsync()).GetProperty("via").GetString());

        await settings.ChangeAsync(new Dictionary<string, object>(StringComparer.Ordinal) { ["Access:LanNetworks"] = "192.0.2.0/24" });
        Assert.Equal(HttpStatusCode.NotFound, await site.OpenAsync(link));
    }

    [Fact]
    public async Task Makers_see_and_revoke_their_own_links_and_who_manages_those_of_all()
    {
        await using var news = new NewsServers();
        await using var site = await Site.StartAsync(news);
        var (anna, vera, bert) = (await site.SignInAsync("anna", UserRole.Administrator), await site.SignInAsync("vera", UserRole.Viewer),
            await site.SignInAsync("bert", UserRole.Operator));
        var (ofVera, ofBert) = (await vera.MakeAsync(), await bert.MakeAsync(hours: 5));
        var own = Assert.Single(await vera.ListAsync());
        Assert.Equal("/content/movies/Film/film.mkv", own.GetProperty("path").GetString());
        Assert.Equal(("vera", "password", true),
            (own.GetProperty("maker").GetString(), own.GetProperty("via").GetString(), own.GetProperty("play").GetBoolean()));
        var other = Assert.Single(await bert.ListAsync());
        Assert.False(other.GetProperty("play").GetBoolean());

        Assert.Empty(await anna.ListAsync());
        Assert.Equal(["bert", "vera"],
            (await anna.ListAsync(all: true)).Select(static link => link.GetProperty("maker").GetString()).Order(StringComparer.Ordinal));
        Assert.Equal(HttpStatusCode.Forbidden, (await vera.SendAsync("GET", "/api/v1/links?all=true")).Status);

        // Nobody revokes what is another's; who manages does.
        var (first, second) = (own.GetProperty("id").GetString(), other.GetProperty("id").GetString());
        Assert.Equal(HttpStatusCode.NotFound, (await vera.SendAsync("DELETE", $"/api/v1/links/{second}")).Status);
        Assert.Equal(HttpStatusCode.OK, await site.OpenAsync(ofBert));
        Assert.Equal(HttpStatusCode.NoContent, (await vera.SendAsync("DELETE", $"/api/v1/links/{first}")).Status);
        Assert.Equal(HttpStatusCode.NotFound, await site.OpenAsync(ofVera));
        Assert.Equal(HttpStatusCode.NotFound, (await vera.SendAsync("DELETE", $"/api/v1/links/{first}")).Status);
        Assert.Equal(HttpStatusCode.NoContent, (await anna.SendAsync("DELETE", $"/api/v1/links/{second}")).Status);
        Assert.Equal(HttpStatusCode.NotFound, await site.OpenAsync(ofBert));

        // What was revoked is not handed out again.
        Assert.Equal(HttpStatusCode.OK, await site.OpenAsync(await vera.MakeAsync()));
    }

    [Fact]
    public async Task A_player_gets_one_link_for_a_file_and_shared_links_are_separate()
    {
        await using var news = new NewsServers();
        await using var site = await Site.StartAsync(news);
        var vera = await site.SignInAsync("vera", UserRole.Viewer);
        var first = await vera.MakeAsync();
        Assert.Equal(first, await vera.MakeAsync());
        Assert.Equal(
            HttpStatusCode.OK, (await vera.SendAsync("GET", site.LinkPath.Replace("/link", "/playlist", StringComparison.Ordinal))).Status);
        Assert.Single(await vera.ListAsync());
        Assert.NotEqual(await vera.MakeAsync(hours: 2), await vera.MakeAsync(hours: 2));
        Assert.Equal(3, (await vera.ListAsync()).Length);
    }

    [Fact]
    public async Task The_longest_life_is_a_setting_and_a_week_for_those_who_may_not_manage()
    {
        await using var news = new NewsServers();
        await using var site = await Site.StartAsync(news);
        var (key, vera) = (site.WithKey(SettingsClient.Key), await site.SignInAsync("vera", UserRole.Viewer));
        Assert.Equal(HttpStatusCode.UnprocessableEntity, (await vera.SendAsync("POST", site.LinkPath, new { hours = 169 })).Status);
        Assert.Equal(HttpStatusCode.OK, (await vera.SendAsync("POST", site.LinkPath, new { hours = 168 })).Status);
        Assert.Equal(HttpStatusCode.UnprocessableEntity,
            (await key.SendAsync("POST", "/api/v1/links", new { path = Site.FilePath, hours = 721 })).Status);
        Assert.Equal(
            HttpStatusCode.Created, (await key.SendAsync("POST", "/api/v1/links", new { path = Site.FilePath, hours = 720 })).Status);

        await new SettingsClient(site.Gateway)
            .ChangeAsync(new Dictionary<string, object>(StringComparer.Ordinal) { ["Access:LinkDays"] = 1 });
        Assert.Equal(HttpStatusCode.UnprocessableEntity, (await key.SendAsync("POST", site.LinkPath, new { hours = 25 })).Status);
        Assert.Equal(HttpStatusCode.UnprocessableEntity, (await vera.SendAsync("POST", site.LinkPath, new { hours = 25 })).Status);
        Assert.Equal(HttpStatusCode.OK, (await vera.SendAsync("POST", site.LinkPath, new { hours = 24 })).Status);
    }

    [Fact]
    public async Task A_link_that_an_earlier_version_made_for_a_person_opens_nothing()
    {
        await using var news = new NewsServers();
        await using var site = await Site.StartAsync(news);

        // As it was: a signature, the mark 1, the end, and the path.
        var key = await File.ReadAllBytesAsync(Path.Combine(site.Gateway.ConfigFolder, "keys", "links"));
        var text = new byte[9].Concat(Encoding.UTF8.GetBytes(
            LibraryStore.PlayPath(long.Parse(site.FileId, System.Globalization.CultureInfo.InvariantCulture)))).ToArray();
        text[0] = 1;
        BinaryPrimitives.WriteInt64BigEndian(text.AsSpan(1), TimeProvider.System.GetUtcNow().AddDays(300).ToUnixTimeSeconds());
        var token = Base64Url.EncodeToString([.. HMACSHA256.HashData(key, text)[..16], .. text]);
        Assert.Equal(HttpStatusCode.NotFound, await site.OpenAsync($"/view/{token}/film.mkv"));
    }

    /// <summary>A gateway with one film.</summary>
    private sealed class Site(Gateway gateway, Folder folder, string fileId, PostedFile file) : IAsyncDisposable
    {
        public const string FilePath = "/content/movies/Film/film.mkv";

        public Gateway Gateway => gateway;

        public string FileId => fileId;

        public string LinkPath => $"/api/v1/files/{fileId}/link";

        public UserAccounts Accounts => gateway.Services.GetRequiredService<UserAccounts>();

        public static async Task<Site> StartAsync(NewsServers news)
        {
            var file = news.Post("film.mkv", 200_000);
            var environment = new Dictionary<string, string?>(SettingsClient.KeyAndLogin, StringComparer.Ordinal);
            foreach (var (name, value) in news.Environment)
                environment[name["NzbDav__".Length..].Replace("__", ":", StringComparison.Ordinal)] = value;
            var folder = new Folder();
            var gateway = await Gateway.StartAsync(news, folder, environment: environment);
            await gateway.ImportAsync("Film", file);
            await new SettingsClient(gateway)
                .ChangeAsync(new Dictionary<string, object>(StringComparer.Ordinal) { ["Api:ReadKey"] = ReadKey });
            using var api = new OperatorClient(gateway.Root, SettingsClient.Key);
            return new Site(gateway, folder, await api.IdAsync("/content/movies/Film", "film.mkv"), file);
        }

        /// <summary>What a stranger gets for a link; the file's bytes, if anything.</summary>
        public async Task<HttpStatusCode> OpenAsync(string link)
        {
            using var nobody = new DavClient(gateway.Root);
            var status = (await nobody.AskAsync("HEAD", link)).Status;
            if (status == HttpStatusCode.OK)
                await nobody.AssertFileAsync(link, file);
            return status;
        }

        public Member WithKey(string key) => new(this, key, cookies: null, token: null);

        /// <summary>Somebody whom the server knows by nothing but the address.</summary>
        public Task<Member> GuestAsync() => BeginAsync("GET", body: null);

        /// <summary>Makes a user, after an administrator, and signs in.</summary>
        public async Task<Member> SignInAsync(string name, UserRole role)
        {
            if (!await Accounts.AnyAsync(Deadline.Token))
                Assert.Equal(AccountOutcome.Done,
                    (await Accounts.CreateFirstAsync(role == UserRole.Administrator ? name : "boss", Password, Deadline.Token)).Outcome);
            if (await Accounts.FindAsync(name, Deadline.Token) is null)
                Assert.Equal(AccountOutcome.Done, (await Accounts.CreateAsync(name, Password, role, Deadline.Token)).Outcome);
            return await BeginAsync("POST", new { username = name, password = Password });
        }

        public async ValueTask DisposeAsync()
        {
            await gateway.DisposeAsync();
            folder.Dispose();
        }

        private async Task<Member> BeginAsync(string method, object? body)
        {
            using var client = new DavClient(gateway.Root);
            using var answer = await client.SendAsync(method, "/api/v1/session", body is null ? null : JsonContent.Create(body));
            Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
            var cookies = string.Join("; ", answer.Headers.GetValues("Set-Cookie").Select(static cookie => cookie.Split(';')[0]));
            return new Member(this, key: null, cookies,
                JsonDocument.Parse(await answer.Content.ReadAsStringAsync()).RootElement.GetProperty("csrfToken").GetString());
        }
    }

    /// <summary>Somebody who calls the native API.</summary>
    private sealed class Member(Site site, string? key, string? cookies, string? token)
    {
        /// <summary>Makes a link to the film.</summary>
        public async Task<string> MakeAsync(int? hours = null)
        {
            var (status, body) = await SendAsync("POST", site.LinkPath, new { hours });
            Assert.Equal(HttpStatusCode.OK, status);
            return body.GetProperty("path").GetString()!;
        }

        public async Task<JsonElement[]> ListAsync(bool all = false)
        {
            var (status, body) = await SendAsync("GET", all ? "/api/v1/links?all=true" : "/api/v1/links");
            Assert.Equal(HttpStatusCode.OK, status);
            return [.. body.GetProperty("links").EnumerateArray()];
        }

        public async Task<(HttpStatusCode Status, JsonElement Body)> SendAsync(string method, string path, object? body = null)
        {
            using var client = new DavClient(site.Gateway.Root);
            using var answer = await client.SendAsync(method, path, body is null ? null : JsonContent.Create(body), headers =>
            {
                if (key is not null)
                    headers.Add("X-Api-Key", key);
                if (cookies is not null)
                    headers.Add("Cookie", cookies);
                if (token is not null)
                    headers.Add("X-CSRF-Token", token);
            });
            var isJson = answer.Content.Headers.ContentType?.MediaType == "application/json";
            return (answer.StatusCode, isJson ? JsonDocument.Parse(await answer.Content.ReadAsStringAsync()).RootElement.Clone() : default);
        }
    }
}

using System.Net;
using System.Text.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Access.Accounts;
using NzbDav.Access.Options;
using NzbDav.Access.Proxies;
using NzbDav.Access.Rules;
using NzbDav.Api.QBittorrent;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Users;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>
/// The qBittorrent interface over a catalog in a temporary folder, without a torrent engine: NZB jobs stand for torrents.
/// </summary>
internal sealed class QbitFixture : IAsyncDisposable
{
    public const string User = "anna";
    public const string Password = "a long pass:wörd";

    private readonly SocketsHttpHandler _handler = new() { UseProxy = false, UseCookies = false, AllowAutoRedirect = false };

    private QbitFixture(SabFixture inner)
    {
        Inner = inner;
        Http = new HttpClient(_handler) { BaseAddress = inner.Http.BaseAddress };
    }

    public SabFixture Inner { get; }

    /// <summary>A client without cookies: a test sends those that it needs.</summary>
    public HttpClient Http { get; }

    public StubSettings Settings => (StubSettings)Inner.Get<IQbitSettings>();

    public QbitOptions Options
    {
        get => Inner.Get<Live<QbitOptions>>().Value;
        set => Inner.Get<Live<QbitOptions>>().Value = value;
    }

    /// <param name="change">Changes the usual options.</param>
    /// <param name="add">Adds services, with the folder of the catalog.</param>
    public static async Task<QbitFixture> OpenAsync(
        Func<QbitOptions, QbitOptions>? change = null, Action<IServiceCollection, string>? add = null)
    {
        var options = new QbitOptions { ShowsNzbJobs = true };
        var inner = await SabFixture.OpenAsync(
            add: (services, _, folder) =>
            {
                services.AddSingleton(new Live<QbitOptions>(change?.Invoke(options) ?? options)).AddSingleton<TorrentLabels>()
                    .AddSingleton<TorrentStore>().AddSingleton<UserStore>().AddSingleton<UserAccounts>();
                services.AddSingleton<IQbitSettings, StubSettings>().AddSingleton(new LiveAccess(new AccessOptions { NoProxy = true }))
                    .AddSingleton<NetworkTrust>();
                services.AddQbit();
                add?.Invoke(services, folder);
            },
            use: app =>
            {
                // As the server's own middleware leaves it without a proxy.
                app.Use((http, next) =>
                {
                    http.Features.Set(new ClientOrigin(http.Connection.RemoteIpAddress, IsTrustedProxy: false, IsForwarded: false));
                    return next(http);
                });
                app.UseRouting();
                app.MapQbit();
            });
        return new QbitFixture(inner);
    }

    /// <summary>Adds the user who can log in.</summary>
    public async Task AddUserAsync() => Assert.Equal(
        AccountOutcome.Done, (await Inner.Get<UserAccounts>().CreateFirstAsync(User, Password, CancellationToken.None)).Outcome);

    /// <summary>Logs in.</summary>
    /// <returns>The cookie, as the client sends it back.</returns>
    public async Task<string> LogInAsync(string user = "sonarr", string password = SabFixture.ClientKey)
    {
        using var response = await PostAsync("auth/login", new() { ["username"] = user, ["password"] = password });
        Assert.Equal((HttpStatusCode.OK, "Ok."), (response.StatusCode, await response.Content.ReadAsStringAsync()));
        return Assert.Single(response.Headers.GetValues("Set-Cookie")).Split(';')[0];
    }

    /// <summary>Sends a call with the rights of a download client, unless the headers say otherwise.</summary>
    public async Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string call, HttpContent? body = null, params (string Name, string Value)[] headers)
    {
        using var request = new HttpRequestMessage(method, "/api/v2/" + call) { Content = body };
        foreach (var (name, value) in headers.Length > 0 ? headers : [("Authorization", "Bearer " + SabFixture.ClientKey)])
            Assert.True(request.Headers.TryAddWithoutValidation(name, value));
        return await Http.SendAsync(request);
    }

    public Task<HttpResponseMessage> PostAsync(
        string call, Dictionary<string, string> form, params (string Name, string Value)[] headers) =>
        SendAsync(HttpMethod.Post, call, new FormUrlEncodedContent(form), headers);

    /// <summary>Status and text of a command.</summary>
    public async Task<(HttpStatusCode Status, string Text)> DoAsync(string call, Dictionary<string, string>? form = null)
    {
        using var response = await PostAsync(call, form ?? []);
        return (response.StatusCode, await response.Content.ReadAsStringAsync());
    }

    public async Task<JsonElement> ReadAsync(string call)
    {
        using var response = await SendAsync(HttpMethod.Get, call);
        Assert.Equal((HttpStatusCode.OK, "application/json"), (response.StatusCode, response.Content.Headers.ContentType!.ToString()));
        return JsonDocument.Parse(await response.Content.ReadAsByteArrayAsync()).RootElement;
    }

    public async ValueTask DisposeAsync()
    {
        Http.Dispose();
        _handler.Dispose();
        await Inner.DisposeAsync();
    }
}

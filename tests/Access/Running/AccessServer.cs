using System.Net;
using System.Text.Json;
using System.Text.Json.Serialization;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using NzbDav.Access.Accounts;
using NzbDav.Access.Callers;
using NzbDav.Access.Connections;
using NzbDav.Access.Keys;
using NzbDav.Access.Options;
using NzbDav.Access.Replies;
using NzbDav.Access.Rules;
using NzbDav.Access.Sessions;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Users;
using NzbDav.Content.Secrets;
using NzbDav.Fakes;

namespace NzbDav.Access.Tests.Running;

/// <summary>Sign-in over HTTP on loopback, with test routes and a clock that tests move.</summary>
internal sealed class AccessServer : IAsyncDisposable
{
    public const string FullKey = "full-key-of-the-test";
    public const string ClientKey = "client-key-of-the-test";
    public const string AddKey = "add-key-of-the-test";
    public const string ReadKey = "read-key-of-the-test";
    public const string User = "Änne";
    public const string Password = "correct horse battery";

    /// <summary>Header with the address that a request pretends to be connected from.</summary>
    public const string Peer = "Test-Peer";

    /// <summary>Fewer iterations than in production, which would take too long for so many tests.</summary>
    public const int Iterations = 1_000;

    private readonly WebApplication _app;
    private readonly CatalogDatabase _database;
    private readonly bool _ownsFolder;

    private AccessServer(WebApplication app, CatalogDatabase database, string folder, bool ownsFolder, ManualTimeProvider clock)
    {
        _app = app;
        _database = database;
        _ownsFolder = ownsFolder;
        Folder = folder;
        Clock = clock;
        Root = app.Urls.First();
    }

    public string Folder { get; }

    public string Root { get; }

    public ManualTimeProvider Clock { get; }

    public LogLines Log { get; private init; } = new();

    public IServiceProvider Services => _app.Services;

    public LiveAccess Access => Services.GetRequiredService<LiveAccess>();

    public string Token => Services.GetRequiredService<SetupToken>().Value;

    /// <summary>The stored sessions.</summary>
    public SessionStore Sessions => Services.GetRequiredService<SessionStore>();

    public UserAccounts Accounts => Services.GetRequiredService<UserAccounts>();

    /// <param name="options">Sign-in options.</param>
    /// <param name="folder">State of an earlier server; null for a new folder.</param>
    /// <param name="clock">The clock of an earlier server.</param>
    /// <param name="user">Creates the usual user.</param>
    /// <param name="facts">Facts that pages are told about the server.</param>
    /// <param name="bounds">Bounds of strangers' connections; null: there are none.</param>
    public static async Task<AccessServer> StartAsync(
        AccessOptions? options = null, string? folder = null, ManualTimeProvider? clock = null, bool user = true, ServerFacts? facts = null,
        UnauthenticatedLimits? bounds = null)
    {
        var path = folder ?? Directory.CreateTempSubdirectory("nzbdav-access-").FullName;
        clock ??= new ManualTimeProvider();
        var log = new LogLines();
        var database = await CatalogOpening.OpenAsync(new CatalogOptions { ConfigFolder = path }, clock, CancellationToken.None);
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Logging.ClearProviders().AddProvider(log).SetMinimumLevel(LogLevel.Information);
        var services = builder.Services;
        services.AddSingleton<TimeProvider>(clock).AddSingleton(new UserStore(database)).AddSingleton(new SessionStore(database))
            .AddSingleton(new AddonKeys(database))
            .AddSingleton(new LiveAccess(options ?? new AccessOptions()));
        services.AddSingleton(new ApiKeys(FullKey, ClientKey, AddKey, ReadKey))
            .AddSingleton(new AttemptMemory(clock, max: 10, TimeSpan.FromMinutes(5)));
        if (bounds is not null)
        {
            services.AddSingleton(bounds);
            builder.WebHost.ConfigureKestrel(
                static server => server.ConfigureEndpointDefaults(static listen => listen.LimitUnauthenticated()));
        }

        services.AddAccess(Path.Combine(path, "keys"), facts);
        services.AddSingleton(new UserAccounts(new UserStore(database), clock, Iterations));
        var app = builder.Build();
        app.Use(next => http =>
        {
            if (http.Request.Headers.TryGetValue(Peer, out var peer))
                http.Connection.RemoteIpAddress = IPAddress.Parse(peer.ToString());
            return next(http);
        });
        app.UseProxies();
        app.UseAccess();
        app.MapAccess();
        app.MapGet("/api/v1/look", () => "seen").Needs(ApiRights.Read);
        app.MapPost("/api/v1/add", () => "added").Needs(ApiRights.Add);
        app.MapPost("/api/v1/change", () => "changed").Needs(ApiRights.Full);
        app.MapGet("/api/v1/maker", (HttpContext http, LinkMakers makers) =>
            JsonReply.Answer(200, new MakerBody(makers.Of(http)!, makers.EndFor(Caller.Of(http)), makers.MostHours(Caller.Of(http))),
                MakerJson.Default.MakerBody)).Needs(ApiRights.Read);
        app.MapGet("/api/v1/lasting", async (HttpContext http, LongLivedCaller standing, UserAccounts accounts) =>
        {
            var before = await standing.RightsAsync(http);
            await accounts.SetPasswordAsync(User, "another password", CancellationToken.None);
            return $"{before}, then {await standing.RightsAsync(http)}";
        }).Needs(ApiRights.Read);
        app.MapGet("/api/v1/forgotten", () => "leaked");
        app.MapGet("/api/v1/typed", (int number) => number).Needs(ApiRights.Read);
        app.MapGet("/api/v1/broken", string () => throw new InvalidOperationException("secret of the program")).Needs(ApiRights.Read);
        app.MapGet("/api/v1/full", string () => throw new CatalogException(CatalogFault.DiskFull, "the disk is full, the test says"))
            .Needs(ApiRights.Read);
        app.MapGet("/api/v1/rate", (HttpContext http) =>
            $"rate {http.Features.Get<IHttpMinResponseDataRateFeature>()!.MinDataRate?.BytesPerSecond ?? 0}").IsOpen();
        app.MapGet("/health", () => "well");
        app.MapGet("/where",
            (HttpContext http) => $"{http.Request.Scheme}://{http.Request.Host}{http.Request.PathBase} {http.Connection.RemoteIpAddress}");
        await app.StartAsync();
        var server = new AccessServer(app, database, path, folder is null, clock) { Log = log };
        if (user && !await server.Accounts.AnyAsync(CancellationToken.None))
            Assert.Equal(AccountOutcome.Done, (await server.Accounts.CreateFirstAsync(User, Password, CancellationToken.None)).Outcome);
        return server;
    }

    /// <summary>A browser without cookies.</summary>
    public Browser NewBrowser() => new(Root);

    /// <summary>A browser whose user has signed in.</summary>
    public Task<Browser> SignedInAsync() => SignedInAgainAsync(User);

    /// <summary>A browser signed in as a user created for it.</summary>
    public async Task<Browser> SignedInAsync(string user, UserRole role)
    {
        Assert.Equal(AccountOutcome.Done, (await Accounts.CreateAsync(user, Password, role, CancellationToken.None)).Outcome);
        return await SignedInAgainAsync(user);
    }

    /// <summary>Another browser of a user with the usual password.</summary>
    public async Task<Browser> SignedInAgainAsync(string user)
    {
        var browser = NewBrowser();
        var answer = await browser.PostAsync("/api/v1/session", new { username = user, password = Password });
        Assert.Equal(HttpStatusCode.OK, answer.Status);
        browser.CsrfToken = answer.Json.GetProperty("csrfToken").GetString();
        return browser;
    }

    /// <summary>Sends a request with stored cookies.</summary>
    public async Task<Answer> AskAsync(string path, string cookies)
    {
        using var http = new HttpClient(new SocketsHttpHandler { UseCookies = false }) { BaseAddress = new Uri(Root) };
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Add("Cookie", cookies);
        using var response = await http.SendAsync(request);
        return new Answer(
            response.StatusCode, await response.Content.ReadAsStringAsync(), new Dictionary<string, string[]>(StringComparer.Ordinal));
    }

    /// <summary>All routes.</summary>
    public IEnumerable<RouteEndpoint> Routes =>
        Services.GetServices<EndpointDataSource>().SelectMany(source => source.Endpoints).OfType<RouteEndpoint>();

    /// <summary>Stops the server and keeps its folder for another.</summary>
    public async Task<string> StopAsync()
    {
        await _app.DisposeAsync();
        await _database.DisposeAsync();
        return Folder;
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        if (_ownsFolder && Directory.Exists(Folder))
            Directory.Delete(Folder, recursive: true);
    }
}

/// <summary>What a link of the caller would be bound to.</summary>
internal sealed record MakerBody(LinkMaker Maker, DateTimeOffset? End, int MostHours);

[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(MakerBody))]
internal sealed partial class MakerJson : JsonSerializerContext;

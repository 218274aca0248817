using System.Net;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Time.Testing;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.Fakes;
using NzbDav.WebDav;
using NzbDav.WebDav.Access;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Conformance.Tests;

/// <summary>WebDAV on a real Kestrel with its own port, and a tree in memory.</summary>
internal sealed class WebDavServer : IAsyncDisposable
{
    private readonly WebApplication _app;

    private WebDavServer(WebApplication app, StubStore store, FakeTimeProvider clock, StubLog log)
    {
        _app = app;
        (Store, Clock, Log) = (store, clock, log);
        Port = new Uri(app.Urls.First()).Port;
    }

    /// <summary>Signs with a publicly known key.</summary>
    public static ViewLinks Links { get; } = new(new byte[ViewLinks.KeyLength], new byte[ViewLinks.KeyLength], TimeProvider.System);

    public StubStore Store { get; }

    public FakeTimeProvider Clock { get; }

    public StubLog Log { get; }

    public int Port { get; }

    public WebDavAuthentication Authentication => _app.Services.GetRequiredService<WebDavAuthentication>();

    /// <param name="store">The tree; null for an empty one.</param>
    /// <param name="check">Checks credentials; null if none are required.</param>
    /// <param name="before">Middleware in the pipeline before WebDAV.</param>
    /// <param name="configure">Further options.</param>
    /// <param name="listener">Is told who is admitted.</param>
    public static async Task<WebDavServer> StartAsync(
        StubStore? store = null, ICredentialCheck? check = null, Action<IApplicationBuilder>? before = null,
        Action<WebDavOptions>? configure = null,
        IAdmissionListener? listener = null)
    {
        store ??= new StubStore();
        var clock = new FakeTimeProvider();
        var log = new StubLog();
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.Logging.AddProvider(log);
        builder.WebHost.UseKestrelCore().ConfigureKestrel(server =>
        {
            WebDavServerLimits.Apply(server);
            server.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http1);
        });
        builder.Services.AddSingleton<TimeProvider>(clock);
        builder.Services.AddSingleton<IStore>(store);
        builder.Services.AddSingleton<IDeadProperties, StubProperties>();
        builder.Services.AddSingleton(Links);
        if (check is not null)
            builder.Services.AddSingleton(check);
        if (listener is not null)
            builder.Services.AddSingleton(listener);
        builder.Services.AddWebDav(options =>
        {
            options.Anonymous = check is null;
            configure?.Invoke(options);
        });
        var app = builder.Build();
        before?.Invoke(app);
        app.MapWebDav("/dav", "content", "nzbs", "completed-symlinks", ".ids");
        app.MapViewLinks();
        app.Run(http =>
        {
            http.Response.StatusCode = StatusCodes.Status418ImATeapot;
            return Task.CompletedTask;
        });
        await app.StartAsync();
        return new WebDavServer(app, store, clock, log);
    }

    /// <summary>Sends one request on a connection of its own and reads to the end of the connection.</summary>
    public Task<RawResponse> SendAsync(string method, string target, params (string Name, string Value)[] headers) =>
        SendAsync(method, target, [], headers);

    public async Task<RawResponse> SendAsync(string method, string target, byte[] body, params (string Name, string Value)[] headers)
    {
        await using var connection = await RawConnection.OpenAsync(Port);
        await connection.SendHeadAsync(method, target, [("Connection", "close"), .. WithLength(body, headers)]);
        await connection.WriteAsync(body);
        return RawResponse.Parse(await connection.ReadToEndAsync(), isHead: method == "HEAD");
    }

    public async ValueTask DisposeAsync() => await _app.DisposeAsync();

    private static IEnumerable<(string, string)> WithLength(byte[] body, (string Name, string Value)[] headers) =>
        body.Length == 0 || headers.Any(header => header.Name == "Transfer-Encoding")
            ? headers : [.. headers, ("Content-Length", $"{body.Length}")];
}

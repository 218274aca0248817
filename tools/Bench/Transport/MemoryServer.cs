using System.IO.Pipelines;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.WebDav;
using NzbDav.WebDav.Store;

namespace NzbDav.Bench.Transport;

/// <summary>A real Kestrel with the real WebDAV middleware, over <see cref="MemoryTransport"/>.</summary>
internal sealed class MemoryServer : IAsyncDisposable
{
    private readonly WebApplication _app;
    private readonly MemoryTransport _transport;

    private MemoryServer(WebApplication app, MemoryTransport transport) => (_app, _transport) = (app, transport);

    /// <summary>Serves a tree under <c>/dav</c>, without authentication.</summary>
    public static async Task<MemoryServer> StartAsync(IStore store)
    {
        var transport = new MemoryTransport();
        var builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(server =>
        {
            WebDavServerLimits.Apply(server);
            server.Listen(transport.EndPoint, listen => listen.Protocols = HttpProtocols.Http1);
        });

        // Kestrel asks the last registered factory to bind.
        builder.Services.AddSingleton<IConnectionListenerFactory>(transport);
        builder.Services.AddSingleton(store);
        builder.Services.AddWebDav(static options => options.Anonymous = true);
        var app = builder.Build();
        app.MapWebDav("/dav");
        await app.StartAsync();
        return new MemoryServer(app, transport);
    }

    /// <inheritdoc cref="MemoryTransport.Connect"/>
    public IDuplexPipe Connect() => _transport.Connect();

    public async ValueTask DisposeAsync()
    {
        await _app.StopAsync();
        await _app.DisposeAsync();
    }
}

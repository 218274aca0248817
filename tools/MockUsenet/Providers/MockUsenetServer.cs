using System.Collections.Concurrent;
using System.Net;
using System.Text.Json;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Statistics;

namespace NzbDav.MockUsenet.Providers;

/// <summary>
/// Several providers over one store, and a side port: <c>GET /health</c>, <c>GET /stats</c>, <c>POST /reset</c>,
/// <c>GET /nzb/{name}</c>. Serves until disposed. Thread-safe.
/// </summary>
public sealed class MockUsenetServer : IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, byte[]> _nzbs = new(StringComparer.Ordinal);
    private readonly List<MockProvider> _providers = [];
    private SideHttp? _side;

    private MockUsenetServer(ArticleStore store) => Store = store;

    public ArticleStore Store { get; }

    /// <summary>In the order of the options.</summary>
    public IReadOnlyList<MockProvider> Providers => _providers;

    /// <summary>The side port; 0 without one.</summary>
    public int StatsPort => _side?.Port ?? 0;

    /// <summary>Starts everything, or throws without leaving anything running.</summary>
    public static async Task<MockUsenetServer> StartAsync(ArticleStore store, MockServerOptions? options = null)
    {
        options ??= new MockServerOptions();
        var server = new MockUsenetServer(store);
        try
        {
            foreach (var provider in options.Providers)
                server._providers.Add(MockProvider.Start(store, provider));
            if (options.StatsPort is { } port)
                server._side = new SideHttp(options.Address, port, server.Answer);
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    /// <summary>Writes an NZB and publishes it as <c>/nzb/{name}</c>.</summary>
    public byte[] PublishNzb(string name, IEnumerable<PostedFile> files, NzbOptions? options = null) =>
        _nzbs[name] = NzbWriter.ToBytes(files, options);

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _side, null) is { } side)
            await side.DisposeAsync();
        foreach (var provider in _providers)
            await provider.DisposeAsync();
    }

    private static SideResponse Text(int status, string text) => new(status, "text/plain", System.Text.Encoding.UTF8.GetBytes(text + "\n"));

    private SideResponse Answer(string method, string path)
    {
        const string NzbPrefix = "/nzb/";
        var reads = method is "GET" or "HEAD";
        if (path == "/health")
            return reads ? Text(200, "ok") : Text(405, "GET");
        if (path == "/stats")
            return reads ? new SideResponse(200, "application/json", Report()) : Text(405, "GET");
        if (path == "/reset")
            return method == "POST" ? Reset() : Text(405, "POST");
        if (reads && path.StartsWith(NzbPrefix, StringComparison.Ordinal) && _nzbs.TryGetValue(path[NzbPrefix.Length..], out var nzb))
            return new SideResponse(200, "application/x-nzb", nzb);
        return Text(404, "not found");
    }

    private byte[] Report() =>
        JsonSerializer.SerializeToUtf8Bytes(
            new StatsReport([.. _providers.Select(static provider => provider.Stats)]), StatsJson.Default.StatsReport);

    private SideResponse Reset()
    {
        foreach (var provider in _providers)
            provider.ResetStats();
        return Text(200, "reset");
    }
}

/// <summary>Options of a <see cref="MockUsenetServer"/>.</summary>
public sealed record MockServerOptions
{
    /// <summary>The providers; by default one with default options.</summary>
    public IReadOnlyList<MockProviderOptions> Providers { get; init; } = [new MockProviderOptions()];

    /// <summary>The address of the side port.</summary>
    public IPAddress Address { get; init; } = IPAddress.Loopback;

    /// <summary>The side port for statistics and NZBs; 0 = any free one, null = none.</summary>
    public int? StatsPort { get; init; }
}

using Microsoft.Extensions.Time.Testing;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>Two gateways on one database, each with a configuration folder of its own.</summary>
internal sealed class TwoGateways : IAsyncDisposable
{
    private readonly List<CatalogFixture> _opened = [];
    private readonly List<TemporaryFolder> _folders = [];
    private readonly string _connection = PostgresServer.Shared.NewDatabase();

    private TwoGateways()
    {
    }

    public FakeTimeProvider Clock { get; } = CatalogFixture.NewClock();

    public CatalogFixture One { get; private set; } = null!;

    public CatalogFixture Other { get; private set; } = null!;

    /// <param name="change">Changes the options of both.</param>
    public static async Task<TwoGateways> OpenAsync(Func<CatalogOptions, CatalogOptions>? change = null)
    {
        var two = new TwoGateways();
        two.One = await two.OpenAsync(two.NewOptions(change));
        two.Other = await two.OpenAsync(two.NewOptions(change));
        return two;
    }

    /// <summary>The same gateway once more, as after a restart.</summary>
    public Task<CatalogFixture> OpenAgainAsync(CatalogFixture gateway) => OpenAsync(gateway.Options);

    public static ServerBlobs Place(CatalogFixture gateway) => (ServerBlobs)gateway.Blobs.Place;

    /// <summary>Files in the cache of a gateway, unfinished ones too.</summary>
    public static string[] Cached(CatalogFixture gateway) =>
        Directory.Exists(gateway.Options.BlobCacheFolder) ? Directory.GetFiles(gateway.Options.BlobCacheFolder) : [];

    /// <summary>Rows of blobs, and of their pieces.</summary>
    public async Task<(long Blobs, long Pieces)> RowsAsync() => await One.Database.ReadAsync(
        static reader => reader.SingleAsync<(long, long)>("SELECT (SELECT COUNT(*) FROM blobs), (SELECT COUNT(*) FROM blob_chunks)"),
        CancellationToken.None);

    public async ValueTask DisposeAsync()
    {
        foreach (var gateway in _opened)
            await gateway.DisposeAsync();
        PostgresServer.Shared.Drop(_connection);
        foreach (var folder in _folders)
            folder.Dispose();
    }

    private CatalogOptions NewOptions(Func<CatalogOptions, CatalogOptions>? change)
    {
        var folder = new TemporaryFolder();
        _folders.Add(folder);
        var options = new CatalogOptions { ConfigFolder = folder.Path, Connection = _connection };
        return change?.Invoke(options) ?? options;
    }

    private async Task<CatalogFixture> OpenAsync(CatalogOptions options)
    {
        var gateway = await CatalogFixture.OpenAsync(options, Clock);
        _opened.Add(gateway);
        return gateway;
    }
}

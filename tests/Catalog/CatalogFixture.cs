using System.Data.Common;
using Microsoft.Extensions.Time.Testing;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests;

/// <summary>A catalog in a temporary folder, deleted on disposal.</summary>
internal sealed class CatalogFixture : IAsyncDisposable
{
    /// <summary>Number of segments of a map that is stored as a blob.</summary>
    public const int SegmentsOfBlob = 3000;

    /// <summary>How long a claim is valid.</summary>
    public static readonly TimeSpan Lease = TimeSpan.FromMinutes(1);

    private readonly bool _ownsFolder;

    private CatalogFixture(CatalogOptions options, FakeTimeProvider clock, CatalogDatabase database, bool ownsFolder)
    {
        _ownsFolder = ownsFolder;
        Options = options;
        Clock = clock;
        Database = database;
        Blobs = new BlobStore(database);
        Collector = new BlobCollector(database, Blobs);
        Tree = new TreeStore(database, Collector);
        Jobs = new JobStore(database, Blobs, Collector);
        Torrents = new TorrentStore(database);
        Labels = new TorrentLabels(database);
        Places = new TorrentPlaces(database);
        Maps = new ExtentMapStore(database, Blobs);
        Settings = new SettingStore(database);
    }

    public CatalogOptions Options { get; }

    public FakeTimeProvider Clock { get; }

    public CatalogDatabase Database { get; }

    public BlobStore Blobs { get; }

    public BlobCollector Collector { get; }

    public TreeStore Tree { get; }

    public JobStore Jobs { get; }

    public TorrentStore Torrents { get; }

    public TorrentLabels Labels { get; }

    public TorrentPlaces Places { get; }

    public ExtentMapStore Maps { get; }

    public SettingStore Settings { get; }

    /// <summary>Segments of files whose number is not given; the default of 3 stores their maps as rows.</summary>
    public int Segments { get; set; } = 3;

    public static string NewFolder() => Path.Combine(Path.GetTempPath(), "nzbdav-catalog-" + Guid.NewGuid().ToString("N"));

    /// <summary>A clock that the test moves; it shows 2026-03-01, 12:00 UTC.</summary>
    public static FakeTimeProvider NewClock() => new(new DateTimeOffset(2026, 3, 1, 12, 0, 0, TimeSpan.Zero));

    public static Task<CatalogFixture> OpenAsync() => OpenAsync(NewFolder(), NewClock(), ownsFolder: true);

    public static async Task<CatalogFixture> OpenAsync(string folder, FakeTimeProvider clock, bool ownsFolder)
    {
        var options = TestEngine.Options(folder);
        await TestEngine.PrepareAsync(options);
        return new CatalogFixture(options, clock, await CatalogOpening.OpenAsync(options, clock, CancellationToken.None), ownsFolder);
    }

    /// <summary>A catalog that somebody else removes.</summary>
    public static async Task<CatalogFixture> OpenAsync(CatalogOptions options, FakeTimeProvider clock) =>
        new(options, clock, await CatalogOpening.OpenAsync(options, clock, CancellationToken.None), ownsFolder: false);

    /// <summary>A catalog of an earlier version, that somebody else removes.</summary>
    public static async Task<CatalogFixture> OpenAsync(CatalogOptions options, FakeTimeProvider clock, IReadOnlyList<Migration> steps) =>
        new(options, clock, await CatalogOpening.OpenAsync(options, clock, steps, CancellationToken.None), ownsFolder: false);

    /// <summary>A second process as far as the database can tell: only the files are shared.</summary>
    public Task<CatalogFixture> OpenOtherAsync() => OpenAsync(Options.ConfigFolder, Clock, ownsFolder: false);

    public async Task<CatalogJob> EnqueueAsync(
        string name = "Movie.2020", string category = "movies", int priority = 0, string nzb = "<nzb/>")
    {
        using var stream = new MemoryStream(System.Text.Encoding.UTF8.GetBytes(nzb));
        var job = new NewJob { Name = name, Category = category, Source = JobSource.Dav, Priority = priority };
        return await Jobs.EnqueueAsync(job, stream, CancellationToken.None);
    }

    public async Task<CatalogJob> ClaimAsync(string owner = "worker")
        => await Jobs.ClaimAsync(owner, Lease, CancellationToken.None) ?? throw new InvalidOperationException("Nothing to claim.");

    public async Task<PublishedFile> FileAsync(string path, int? segments = null)
    {
        var map = Samples.Regular(segments ?? Segments, path);
        var hash = await Maps.PutAsync(map, sizesVerified: false, CancellationToken.None);
        return new PublishedFile { Path = path.Split('/'), Size = map.Length, ExtentMap = hash };
    }

    /// <summary>Enqueues, claims and publishes a job.</summary>
    public async Task<CatalogItem> PublishAsync(string name, params string[] paths)
    {
        await EnqueueAsync(name, nzb: "<nzb>" + name + "</nzb>");
        var files = new List<PublishedFile>();
        foreach (var path in paths)
        {
            // Writing thousands of blobs to the disk one by one takes a minute and proves nothing.
            files.Add(files.Count < 20 ? await FileAsync(path) : files[0] with { Path = path.Split('/') });
        }

        return (await Jobs.PublishAsync(await ClaimAsync(), new JobPublication { Files = files }, CancellationToken.None))!;
    }

    public Task<CatalogItem?> ResolveAsync(string path)
        => Tree.ResolveAsync(path.Split('/', StringSplitOptions.RemoveEmptyEntries), CancellationToken.None).AsTask();

    public async Task<List<string>> NamesAsync(long parentId)
    {
        var names = new List<string>();
        await foreach (var item in Tree.ListAsync(parentId, after: null, CancellationToken.None))
            names.Add(item.Name);
        return names;
    }

    /// <summary>Hashes of the maps stored as rows.</summary>
    public async Task<List<string>> MapRowsAsync()
        => await Database.ReadAsync(reader => reader.AllAsync<string>("SELECT hash FROM maps ORDER BY hash"), CancellationToken.None);

    public List<string> BlobFiles() => Directory.Exists(Options.BlobFolder)
        ? [.. Directory.EnumerateFiles(Options.BlobFolder, "*", SearchOption.AllDirectories)]
        : [];

    /// <summary>Addresses of the blobs that are stored and not on their way out, in order.</summary>
    public async Task<List<string>> StoredBlobsAsync() => TestEngine.IsFile
        ? [.. BlobFiles().Where(static path => !path.Contains("/quarantine/", StringComparison.Ordinal))
            .Select(static path => Path.GetFileName(path)).Order(StringComparer.Ordinal)]
        : await Database.ReadAsync(
            static reader => reader.AllAsync<string>("SELECT hash FROM blobs WHERE expires IS NULL ORDER BY hash"), CancellationToken.None);

    /// <summary>A raw connection that bypasses the catalog.</summary>
    public DbConnection RawConnection() => TestEngine.Connect(Options);

    public async ValueTask DisposeAsync()
    {
        await Database.DisposeAsync();
        if (!_ownsFolder)
            return;
        TestEngine.Drop(Options);
        Directory.Delete(Options.ConfigFolder, recursive: true);
    }
}

using System.Security.Cryptography;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Import.Intake;
using NzbDav.Import.Limits;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;
using NzbDav.Import.Queue;
using NzbDav.Import.Repair;
using NzbDav.Import.Steps;
using NzbDav.Library.Items;
using NzbDav.Library.Opening;
using NzbDav.Library.Readers;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Articles;

namespace NzbDav.Import.Tests;

/// <summary>A catalog in a folder of its own, mock providers, a client and a worker. Disposal asserts that nothing leaked.</summary>
internal sealed class ImportFixture : IAsyncDisposable
{
    /// <summary>A catalog with nothing in it.</summary>
    private static readonly FolderTemplate Empty = new(static async folder =>
        await (await CatalogOpening.OpenAsync(new CatalogOptions { ConfigFolder = folder }, TimeProvider.System, CancellationToken.None))
            .DisposeAsync());

    private readonly BufferPool _pool;
    private readonly List<MockProvider> _mocks = [];
    private readonly WarmReaders _readers;
    private readonly RepairMemory? _memory;

    private ImportFixture(
        CatalogDatabase database, ManualTimeProvider clock, MockProviderOptions[] mocks, Func<ProviderOptions, ProviderOptions> configure,
        TimeProvider? workerTime, TimeProvider lineTime, ImportOptions options, BufferPool pool, RepairMemory? memory)
    {
        _pool = pool;
        _memory = memory;
        Database = database;
        Clock = clock;
        Blobs = new BlobStore(database);
        var collector = new BlobCollector(database, Blobs);
        Tree = new TreeStore(database, collector);
        Jobs = new JobStore(database, Blobs, collector);
        Maps = new ExtentMapStore(database, Blobs);
        Settings = new SettingStore(database);
        Switch = new QueueSwitch(Jobs, Settings, clock);
        Intake = new NzbIntake(Jobs, options, database.Options);
        var providers = new List<ProviderOptions>();
        foreach (var mock in mocks)
        {
            var provider = MockProvider.Start(Store, mock);
            _mocks.Add(provider);
            providers.Add(configure(new ProviderOptions
            {
                Name = mock.Name,
                Host = "127.0.0.1",
                Port = provider.Port,
                UseTls = false,
                MaxConnections = 4,
                Priority = providers.Count
            }));
        }

        Patches = new PatchFolder(PatchFolder.In(database.Options.ConfigFolder), NullLogger<PatchFolder>.Instance);
        Usenet = new UsenetClient(providers, _pool, lineTime, NullLogger<UsenetClient>.Instance, patches: Patches);
        Usenet.Start();
        Worker = new ImportWorker(Jobs, Blobs, Maps, Usenet, options, Events, workerTime ?? clock, Log, memory: memory);
        _readers = new WarmReaders(_pool.Budget, clock);
        Mender = new LayoutCorrector(Jobs, Blobs, Maps, Usenet, options, workerTime ?? clock, MenderLog);
        Posts = NewPosts(options, workerTime);
        Opener = NewOpener();
    }

    public static ImportOptions Options { get; } = new() { MaxNzbBytes = 1 << 20, Workers = 2 };

    public ManualTimeProvider Clock { get; }

    public CatalogDatabase Database { get; }

    public BlobStore Blobs { get; }

    public TreeStore Tree { get; }

    public JobStore Jobs { get; }

    public ExtentMapStore Maps { get; }

    public SettingStore Settings { get; }

    public QueueSwitch Switch { get; }

    public ImportEvents Events { get; } = new();

    public ContentOpener Opener { get; }

    public LayoutCorrector Mender { get; }

    public RecordingLogger<LayoutCorrector> MenderLog { get; } = new();

    /// <summary>Repairs articles that readers find missing, for <see cref="NewMendingOpener"/>.</summary>
    public PostRepairer Posts { get; }

    public RecordingLogger<PostRepairer> PostsLog { get; } = new();

    public NzbIntake Intake { get; }

    public ArticleStore Store { get; } = new();

    public IReadOnlyList<MockProvider> Mocks => _mocks;

    public UsenetClient Usenet { get; }

    /// <summary>Restored articles.</summary>
    public PatchFolder Patches { get; }

    public ImportWorker Worker { get; }

    public RecordingLogger<ImportWorker> Log { get; } = new();

    public RecordingLogger<ImportQueue> QueueLog { get; } = new();

    /// <param name="mocks">The providers; default: one.</param>
    /// <param name="configure">Changes the options of the accounts.</param>
    /// <param name="workerTime">The worker's clock; default: <see cref="Clock"/>.</param>
    /// <param name="rules">Default: <see cref="Options"/>.</param>
    /// <param name="pool">Default: one that finds leaks, and is too slow to measure with.</param>
    /// <param name="lineTime">The clock of connections and articles; default: the system's.</param>
    /// <param name="memory">The memory for repairs; default: a share of the machine's.</param>
    public static async Task<ImportFixture> OpenAsync(
        MockProviderOptions[]? mocks = null, Func<ProviderOptions, ProviderOptions>? configure = null, TimeProvider? workerTime = null,
        ImportOptions? rules = null, BufferPool? pool = null,
        TimeProvider? lineTime = null, RepairMemory? memory = null)
    {
        var clock = new ManualTimeProvider();
        var options = new CatalogOptions
        {
            ConfigFolder = Path.Combine(Path.GetTempPath(), "nzbdav-import-" + Guid.NewGuid().ToString("N")),
            BusyTimeout = TimeSpan.FromMilliseconds(20),
        };
        await Empty.CopyToAsync(options.ConfigFolder);
        var database = await CatalogOpening.OpenAsync(options, clock, CancellationToken.None);
        return new ImportFixture(database, clock, mocks ?? [new() { Name = "mock" }], configure ?? (static options => options), workerTime,
            lineTime ?? TimeProvider.System, rules ?? Options, pool ?? new DiagnosticBufferPool(), memory);
    }

    /// <summary>A file's map, as it is stored.</summary>
    public async Task<ExtentMap> MapOfAsync(CatalogItem item) => (await Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Map;

    /// <summary>A new instance, as after a restart: it knows only what is stored.</summary>
    public PostRepairer NewPosts(ImportOptions? options = null, TimeProvider? time = null) =>
        new(Jobs, Blobs, Maps, Tree, new RepairStore(Database), Usenet, options ?? Options, time ?? Clock, PostsLog, _memory);

    /// <summary>A new instance, as after a restart: it knows only what is stored.</summary>
    public ContentOpener NewOpener() => new(Maps, Tree, Usenet, _pool, _readers, NullLogger<ContentOpener>.Instance, Mender);

    /// <summary>The same, but its readers wait for repairs.</summary>
    public ContentOpener NewMendingOpener(Live<LibraryOptions>? options = null, PostRepairer? posts = null) =>
        new(Maps, Tree, Usenet, _pool, _readers, OpenerLog, Mender, posts: posts ?? Posts, options: options);

    /// <summary>Of <see cref="NewMendingOpener"/>'s.</summary>
    public RecordingLogger<ContentOpener> OpenerLog { get; } = new();

    /// <summary>Posts files of the given names, three articles each.</summary>
    public IReadOnlyList<PostedFile> Post(params string[] names) =>
        Store.AddPost([.. names.Select((name, i) => (name, (IArticleSource)new SeededSource((ulong)i, name, 25_000)))],
            new PostOptions { ArticleSize = 10_000 });

    /// <summary>Posts files in so many articles that their maps are blobs.</summary>
    public IReadOnlyList<PostedFile> PostWithLargeMaps(int count) =>
        Store.AddPost([.. Enumerable.Range(0, count).Select(i =>
            ($"movie{i}.mkv", (IArticleSource)new SeededSource((ulong)i, $"movie{i}.mkv", 30_000)))], new PostOptions { ArticleSize = 10 });

    public Task<CatalogJob> EnqueueAsync(IEnumerable<PostedFile> files, NzbOptions? options = null) =>
        EnqueueAsync(NzbWriter.ToBytes(files, options));

    /// <summary>Queues a job without the intake's checks.</summary>
    public async Task<CatalogJob> EnqueueAsync(byte[] nzb, string name = "Job", string? password = null)
    {
        using var stream = new MemoryStream(nzb);
        return await Jobs.EnqueueAsync(
            new NewJob { Name = name, Password = password, Category = "movies", Source = JobSource.Dav }, stream, CancellationToken.None);
    }

    public async Task<CatalogJob> ClaimAsync(string owner = "worker") =>
        await Jobs.ClaimAsync(owner, ImportWorker.Lease, CancellationToken.None)
            ?? throw new InvalidOperationException("Nothing to claim.");

    /// <summary>Claims the next job, runs it and returns its final state.</summary>
    public async Task<CatalogJob> RunAsync()
    {
        var job = await ClaimAsync();
        await Worker.RunAsync(job, CancellationToken.None);
        return (await Jobs.GetAsync(job.Id, CancellationToken.None))!;
    }

    public async Task<CatalogItem?> FindAsync(string path) => await Tree.ResolveAsync(path.Split('/'), CancellationToken.None);

    public Task<List<string>> PublishedAsync() => ListAsync("content/movies/Job");

    /// <summary>The names in a folder; none if there is no such folder.</summary>
    public async Task<List<string>> ListAsync(string path)
    {
        var names = new List<string>();
        if (await FindAsync(path) is { } job)
        {
            await foreach (var item in Tree.ListAsync(job.Id, after: null, CancellationToken.None))
                names.Add(item.Name);
        }

        return names;
    }

    /// <summary>A file of the job "The Job (2024)" reads as its source, to the byte.</summary>
    /// <param name="name">Of the file.</param>
    /// <param name="source">What was posted.</param>
    /// <param name="opener">Default: <see cref="NewOpener"/>.</param>
    public async Task AssertServedAsync(string name, byte[] source, ContentOpener? opener = null)
    {
        var item = await FindAsync($"content/movies/The Job (2024)/{name}");
        Assert.Equal(source.Length, item?.Size);
        var content = await (opener ?? NewOpener()).OpenAsync(item!, CancellationToken.None);
        var read = await ContentBytes.ReadAsync(content, 0, source.Length, ReadIntent.Playback, CancellationToken.None);
        Assert.Equal(Convert.ToHexString(SHA256.HashData(source)), Convert.ToHexString(SHA256.HashData(read)));
    }

    /// <summary>Another process that keeps the database locked until it is disposed.</summary>
    public SqliteConnection Lock()
    {
        var connection = new SqliteConnection($"Data Source={Database.Options.DatabasePath};Pooling=False");
        connection.Open();
        using var command = connection.CreateCommand();
        command.CommandText = "BEGIN IMMEDIATE";
        command.ExecuteNonQuery();
        return connection;
    }

    public async ValueTask DisposeAsync()
    {
        await Posts.DisposeAsync();
        _readers.Dispose();
        await Until.TrueAsync(() => Usenet.Cache.Open == 0);
        await Usenet.DisposeAsync();

        // What was being received when the client ended is given back a moment later.
        await Until.TrueAsync(() =>
        {
            Usenet.Cache.Reclaim(long.MaxValue);
            return _pool.Rented == 0;
        });
        (_pool as DiagnosticBufferPool)?.AssertAllReturned();
        (_pool as DiagnosticBufferPool)?.AssertNothingReserved();
        foreach (var mock in _mocks)
            await mock.DisposeAsync();
        await Database.DisposeAsync();
        Directory.Delete(Database.Options.ConfigFolder, recursive: true);
    }
}

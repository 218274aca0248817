using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;
using NzbDav.Torrents.Settings;

namespace NzbDav.Seeding.Tests;

/// <summary>
/// A catalog, an engine, the shelf and its runner, as in the server. The test moves the runner's clock; the swarm is real, on loopback.
/// </summary>
internal sealed class SeedingFixture : IAsyncDisposable
{
    public const int PieceLength = 64 << 10;

    /// <summary>Torrents of the category tv are kept whole; others are streamed.</summary>
    public static readonly SeedingOptions Keeping = new() { KeepCategories = ["tv"] };

    private readonly BlobStore _blobs;

    private SeedingFixture(
        string folder, CatalogDatabase database, SeedingOptions options, ManualTimeProvider clock, string? keep, string? gateway)
    {
        Database = database;
        Clock = clock;
        Folder = folder;
        _blobs = new BlobStore(database);
        var collector = new BlobCollector(database, _blobs);
        Jobs = new JobStore(database, _blobs, collector);
        Tree = new TreeStore(database, collector);
        Store = new TorrentStore(database);
        Options = new(options);
        Owners = gateway is null ? null : new TorrentOwnership(new TorrentOwners(database), clock, gateway, () => "http://" + gateway)
        { Length = TimeSpan.FromHours(1) };
        var data = gateway is null ? folder : Path.Combine(folder, gateway);
        Sessions = new TorrentSessions(
            new TorrentEngine(
                new TorrentOptions
                {
                    Memory = 16 << 20,
                    Workers = 2,
                    CacheFolder = Path.Combine(data, "cache"),
                    CacheBytes = 64 << 20,
                    KeepFolder = keep ?? Path.Combine(data, "keep")
                }, TimeProvider.System),
            TimeProvider.System,
            TimeSpan.FromMinutes(30));
        var unwanted = new UnwantedItems(database);
        Shelf = new TorrentShelf(
            Store, new TorrentPlaces(database), Jobs, Tree, new HoldStore(database, unwanted), unwanted, _blobs, Sessions, Options, clock,
            Owners);
        Runner = new SeedingRunner(Shelf, Store, Sessions, Options, clock, Owners);
    }

    public string Folder { get; }

    public CatalogDatabase Database { get; }

    public ManualTimeProvider Clock { get; }

    public JobStore Jobs { get; }

    public TreeStore Tree { get; }

    public TorrentStore Store { get; }

    public Live<SeedingOptions> Options { get; }

    public TorrentSessions Sessions { get; }

    public TorrentShelf Shelf { get; }

    public SeedingRunner Runner { get; }

    /// <summary>The torrents that it owns; null unless it is one of several gateways.</summary>
    public TorrentOwnership? Owners { get; }

    /// <param name="folder">The catalog's folder.</param>
    /// <param name="options">Policies.</param>
    /// <param name="clock">The runner's clock; null: a new one.</param>
    /// <param name="keep">Folder of kept torrents; null: one beside the cache.</param>
    /// <param name="gateway">Name of one of several gateways on the catalog, which has data of its own; null: it is the only one.</param>
    public static async Task<SeedingFixture> OpenAsync(
        string folder, SeedingOptions options, ManualTimeProvider? clock = null, string? keep = null, string? gateway = null)
    {
        clock ??= new ManualTimeProvider();
        return new SeedingFixture(folder, await CatalogOpening.OpenAsync(new CatalogOptions { ConfigFolder = folder }, clock, default),
            options, clock, keep, gateway);
    }

    public static MockTorrent Film(int size = 8 << 20, string name = "Job") =>
        new(name, SwarmContent.Make(
            (ulong)size + (ulong)name.Length, PieceLength, [new SwarmFile("film.mkv", size), new SwarmFile("film.nfo", 10_000)]));

    /// <summary>Adds a torrent and publishes it, as the import does.</summary>
    public async Task<string> AddAsync(
        Swarm swarm, NewTorrent? wanted = null, string category = "tv", Uri? tracker = null, TorrentOrigin? origin = null)
    {
        var info = Metainfo.Read(swarm.Torrent.TorrentFile()).Value!.Info;
        IReadOnlyList<IReadOnlyList<Uri>> trackers = tracker is null ? [] : [[tracker]];
        var bytes = new Metainfo(info, trackers, [.. swarm.Endpoints]) { Origin = origin ?? TorrentOrigin.None }.Write();
        var hash = info.Hash.ToString();
        using var stream = new MemoryStream(bytes.ToArray());
        await Jobs.EnqueueAsync(new NewJob
        {
            Name = info.Name,
            Category = category,
            Source = JobSource.Api,
            Kind = JobKind.Torrent,
            ContentHash = hash,
            Torrent = wanted
        }, stream, default);
        var job = (await Jobs.ClaimAsync("test", TimeSpan.FromHours(1), default))!;
        var files = info.Files.Select((file, index) => new PublishedFile
        { Path = file.Path.Split('/'), Size = file.Length, ExtentMap = job.Nzb!.Value, Torrent = new TorrentPart(hash, index) });
        await Jobs.PublishAsync(job, new JobPublication { Files = [.. files] }, default);
        return hash;
    }

    public async Task<TorrentView> FindAsync(string hash) =>
        await Shelf.FindAsync(hash, default) ?? throw new InvalidOperationException("It is not in the list.");

    public async Task StepAsync(TimeSpan? by = null)
    {
        Clock.Advance(by ?? SeedingRunner.Pace);
        await Runner.StepAsync(default);
    }

    /// <summary>Runs steps until the torrent meets a condition.</summary>
    public Task UntilAsync(string hash, Func<TorrentView, bool> condition) => Until.TrueAsync(async () =>
    {
        await Runner.StepAsync(default);
        return condition(await FindAsync(hash));
    });

    public async ValueTask DisposeAsync()
    {
        await Runner.DisposeAsync();
        Shelf.Dispose();
        await Sessions.DisposeAsync();
        if (Owners is not null)
            await Owners.DisposeAsync();
        await Database.DisposeAsync();
    }
}

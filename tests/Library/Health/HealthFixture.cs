using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Library.Health;

namespace NzbDav.Library.Tests.Health;

/// <summary>Posts in a catalog, on a clock that the test moves, with everything as in production but fakes at the edges.</summary>
internal sealed class HealthFixture : IPostRepairer, IHealthReader, IReplacements, IAsyncDisposable
{
    private const string Memory = "/dev/shm";

    private readonly LibraryFixture _library;
    private readonly Dictionary<int, long> _items = [];
    private readonly Dictionary<long, int> _jobs = [];
    private bool _removed;

    private HealthFixture(LibraryFixture library)
    {
        _library = library;
        News = new SimulatedNews(library.Time);
        Store = new HealthStore(library.Database, library.Unwanted, library.Deleter, new BlobCollector(library.Database, library.Blobs));
        Desk = new HealthDesk(Store, library.Time);
        Runner = NewRunner();
        library.Tree.Removed += () => _removed = true;
    }

    public LibraryFixture Library => _library;

    public SimulatedNews News { get; }

    public HealthStore Store { get; }

    public HealthDesk Desk { get; }

    public HealthRunner Runner { get; private set; }

    public Live<HealthOptions> Options { get; } = new(new HealthOptions { Action = HealthAction.Replace });

    public DateTimeOffset Now => _library.Time.GetUtcNow();

    /// <summary>Jobs whose post has recovery data.</summary>
    public HashSet<int> Mendable { get; } = [];

    /// <summary>Jobs whose repair fails for a temporary reason.</summary>
    public HashSet<int> Delayed { get; } = [];

    /// <summary>Jobs whose repair does not end.</summary>
    public HashSet<int> Endless { get; } = [];

    /// <summary>Called before each repair.</summary>
    public Action? BeforeMend { get; set; }

    /// <summary>Replacement that an *arr finds, by job.</summary>
    public Dictionary<int, int> Replacement { get; } = [];

    /// <summary>The result of comparing two files.</summary>
    public bool? AreSame { get; set; }

    /// <summary>Jobs for which an *arr was asked for a replacement, and when.</summary>
    public Dictionary<int, DateTimeOffset> Searched { get; } = [];

    /// <param name="inMemory">Keeps the catalog's files in memory where the system has a file system for that: thousands of posts need not
    /// wait for a disk.</param>
    public static async Task<HealthFixture> OpenAsync(bool inMemory = false) =>
        new(await LibraryFixture.OpenAsync(inMemory && Directory.Exists(Memory) ? Memory : null));

    /// <summary>The same catalog in a process that has nothing else in memory.</summary>
    public HealthRunner NewRunner() => Runner = new HealthRunner(
        new HealthTools(Store, _library.Holds, _library.Tree, _library.Maps, News, this, this, this, Options, _library.Time),
        NullLogger<HealthRunner>.Instance);

    /// <summary>Whether something was deleted since the last call.</summary>
    public bool TakeRemovals()
    {
        var removed = _removed;
        _removed = false;
        return removed;
    }

    public bool HasItem(int job) => _items.ContainsKey(job);

    public long ItemOf(int job) => _items[job];

    public int JobOf(long item) => _jobs[item];

    /// <summary>Adds a post with one file, or with several equal ones.</summary>
    public async Task<long> AddAsync(int job, int articles = 40, string? name = null, int files = 1)
    {
        using var nzb = new MemoryStream(Encoding.UTF8.GetBytes($"<nzb>{job}</nzb>"));
        name ??= string.Create(CultureInfo.InvariantCulture, $"Job {job}");
        await _library.Jobs.EnqueueAsync(new NewJob { Name = name, Category = "tv", Source = JobSource.Dav }, nzb, CancellationToken.None);
        var claimed = await _library.Jobs.ClaimAsync("test", TimeSpan.FromMinutes(1), CancellationToken.None);
        var published = new List<PublishedFile>();
        for (var file = 1; file <= files; file++)
        {
            var segments = new SegmentTable.Builder();
            for (var i = 0; i < articles; i++)
                segments.Add(Encoding.ASCII.GetBytes(
                    string.Create(CultureInfo.InvariantCulture, $"{job}.{(file == 1 ? "" : $"{file}.")}{i}@test")), i * 100_000L, 100_000);
            var map = ExtentMap.OfWholeSegments(segments.Build());
            var stored = await _library.Maps.PutAsync(map, sizesVerified: true, CancellationToken.None);
            published.Add(new PublishedFile
            {
                Path = [file == 1 ? name + ".mkv" : string.Create(
                CultureInfo.InvariantCulture, $"{name} {file}.mkv")],
                Size = map.Length,
                ExtentMap = stored
            });
        }

        var item = (await _library.Jobs.PublishAsync(claimed!, new JobPublication { Files = published }, CancellationToken.None))!;
        (_items[job], _jobs[item.Id]) = (item.Id, job);
        return item.Id;
    }

    /// <summary>Moves the clock; the schedule runs every few hours of it.</summary>
    public async Task PassAsync(TimeSpan time, double stepHours = 6)
    {
        for (var end = Now + time; Now < end;)
        {
            _library.Time.Advance(TimeSpan.FromHours(stepHours));
            await Runner.RunAsync(CancellationToken.None);
        }
    }

    /// <summary>Takes a whole job down at every account, now.</summary>
    public void TakeDown(int job)
    {
        foreach (var name in SimulatedNews.Names)
            News.TakeDown(job, name, Now);
    }

    /// <summary>Events of a job, the oldest first.</summary>
    public async Task<HealthEventKind[]> EventsAsync(int job) =>
        [.. (await Store.EventsAsync(_items[job], 100, CancellationToken.None)).Reverse().Select(one => one.Kind)];

    public async Task<HealthPost> PostAsync(int job) => (await Store.GetAsync(_items[job], CancellationToken.None))!;

    public ValueTask DisposeAsync() => _library.DisposeAsync();

    void IPostRepairer.Begin(CatalogItem item, string article)
    {
    }

    async ValueTask<RepairWaitOutcome> IPostRepairer.RepairAsync(CatalogItem item, string article, CancellationToken cancellationToken)
    {
        var job = _jobs[(await Store.FindByFileAsync(item.Id, cancellationToken))!.ItemId];
        BeforeMend?.Invoke();
        if (Endless.Contains(job))
            return new RepairWaitOutcome(RepairWaitState.Running, "It is being repaired.");
        if (Delayed.Contains(job))
            return new RepairWaitOutcome(RepairWaitState.Failed, "Bravo does not answer.") { IsTransient = true };
        if (!Mendable.Contains(job))
            return new RepairWaitOutcome(RepairWaitState.Failed, "Its post has no recovery data.");
        News.Made.Add(job);
        return new RepairWaitOutcome(RepairWaitState.Repaired);
    }

    void IPostRepairer.Open(CatalogItem item)
    {
    }

    ValueTask<RepairFailure?> IPostRepairer.FindFailureAsync(CatalogItem item, CancellationToken cancellationToken) => default;

    string? IPostRepairer.DescribeState(CatalogItem item) => null;

    async Task<bool> IHealthReader.PlaysAsync(CatalogItem file, CancellationToken cancellationToken)
    {
        var segments = (await _library.Maps.ReadAsync(file.ExtentMap!.Value, cancellationToken)).Map.Segments;
        foreach (var article in (string[])[segments.Id(0), segments.Id(segments.Count - 1)])
        {
            if (!News.HasPatch(article) && !News.IsAlive(
                int.Parse(article.AsSpan(0, article.IndexOf('.', StringComparison.Ordinal)), CultureInfo.InvariantCulture)))
                return false;
        }

        return true;
    }

    Task<bool?> IHealthReader.AreSameAsync(CatalogItem file, CatalogItem other, CancellationToken cancellationToken) =>
        Task.FromResult(AreSame);

    Task<ReplacementAnswer> IReplacements.SearchAsync(
        HealthPost post, IReadOnlyList<CatalogItem> files, CancellationToken cancellationToken)
    {
        Assert.NotEmpty(files);
        Searched[_jobs[post.ItemId]] = Now;
        return Task.FromResult(new ReplacementAnswer(ReplacementState.Searching, "Sonarr searches.") { Search = "x" });
    }

    async Task<ReplacementAnswer> IReplacements.CheckAsync(HealthPost post, string search, CancellationToken cancellationToken)
    {
        if (!Replacement.TryGetValue(_jobs[post.ItemId], out var other) || !_items.TryGetValue(other, out var item))
            return new ReplacementAnswer(ReplacementState.Searching, "Sonarr found no other release.");
        var file = (await Store.FilesAsync(item, cancellationToken))[0];
        return new ReplacementAnswer(ReplacementState.Imported, "Sonarr imported another release.") { ItemIds = [file.Id] };
    }
}

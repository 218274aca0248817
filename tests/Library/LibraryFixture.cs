using System.IO.Pipelines;
using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Moving;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Properties;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Holding;
using NzbDav.Library.Items;
using NzbDav.Library.Opening;
using NzbDav.Library.Readers;
using NzbDav.Library.Scratch;
using NzbDav.Usenet;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Tests;

/// <summary>
/// The tree over a catalog in a temporary folder, deleted on disposal. There is no provider: these tests read no articles.
/// </summary>
internal sealed class LibraryFixture : IAsyncDisposable
{
    public const string MountPath = "/mnt/films";

    /// <summary>A catalog with nothing in it.</summary>
    private static readonly FolderTemplate Empty = new(static async folder =>
        await (await CatalogOpening.OpenAsync(new CatalogOptions { ConfigFolder = folder }, TimeProvider.System, CancellationToken.None))
            .DisposeAsync());

    private readonly UsenetClient _usenet;
    private readonly WarmReaders _readers;

    private LibraryFixture(string folder, ManualTimeProvider time, CatalogDatabase database)
    {
        Folder = folder;
        Time = time;
        Database = database;
        Blobs = new BlobStore(database);
        var collector = new BlobCollector(database, Blobs);
        Maps = new ExtentMapStore(database, Blobs);
        Tree = new TreeStore(database, collector);
        Jobs = new JobStore(database, Blobs, collector);
        Links = new LinkStore(database);
        Unwanted = new UnwantedItems(database);
        Holds = new HoldStore(database, Unwanted);
        Aliases = new AliasStore(database);
        Deleter = new UnwantedDeleter(database, Jobs, collector, Unwanted);
        Properties = new LibraryProperties(new PropertyStore(database));
        Pool = new DiagnosticBufferPool();
        _usenet = new UsenetClient([], Pool, time, NullLogger<UsenetClient>.Instance);
        _readers = new WarmReaders(Pool.Budget, time);
        Drop = new StubDrop(Jobs);
        Scratch = new ScratchFolder(Path.Combine(folder, "scratch"), Pool, time);
        Store = NewStore();
    }

    public string Folder { get; }

    public ManualTimeProvider Time { get; }

    public CatalogDatabase Database { get; }

    public BlobStore Blobs { get; }

    public ExtentMapStore Maps { get; }

    public TreeStore Tree { get; }

    public JobStore Jobs { get; }

    public LinkStore Links { get; }

    public HoldStore Holds { get; }

    public UnwantedItems Unwanted { get; }

    public AliasStore Aliases { get; }

    public UnwantedDeleter Deleter { get; }

    public LibraryProperties Properties { get; }

    public DiagnosticBufferPool Pool { get; }

    /// <summary>Signs the addresses in .strm files.</summary>
    public ViewLinks Views { get; } = new(new byte[ViewLinks.KeyLength], new byte[ViewLinks.KeyLength], TimeProvider.System);

    public StubDrop Drop { get; }

    public ScratchFolder Scratch { get; }

    public StubLog Log { get; } = new();

    public LibraryStore Store { get; }

    /// <param name="above">The parent of its folder; null for the usual folder for temporary files.</param>
    public static async Task<LibraryFixture> OpenAsync(string? above = null)
    {
        var folder = Path.Combine(above ?? Path.GetTempPath(), "nzbdav-library-" + Guid.NewGuid().ToString("N"));
        var time = new ManualTimeProvider();
        await Empty.CopyToAsync(folder);
        var fixture = new LibraryFixture(
            folder, time, await CatalogOpening.OpenAsync(new CatalogOptions { ConfigFolder = folder }, time, CancellationToken.None));
        await fixture.Store.EnsureRootsAsync(["movies", "tv"], CancellationToken.None);
        return fixture;
    }

    /// <summary>The store of another process over the same files, with nothing cached.</summary>
    /// <param name="change">Changes the usual options.</param>
    /// <param name="keeper">Reads the libraries again; null: nothing does.</param>
    public LibraryStore NewStore(Func<LibraryOptions, LibraryOptions>? change = null, LibraryKeeper? keeper = null) => new(
        new LibraryCatalog(Tree, Jobs, Blobs, Links, Holds, Unwanted, Aliases),
        new ContentOpener(Maps, Tree, _usenet, Pool, _readers, NullLogger<ContentOpener>.Instance, new NoMender()),
        Drop,
        change?.Invoke(new LibraryOptions { MountPath = MountPath }) ?? new LibraryOptions { MountPath = MountPath },
        Time,
        Scratch,
        Views,
        new Logger<LibraryStore>(new LoggerFactory([Log])),
        keeper);

    /// <summary>Publishes a job with files as <c>/content/CATEGORY/NAME</c>.</summary>
    public Task<CatalogItem> PublishAsync(string category, string name, params string[] paths) =>
        PublishAsync(category, name, torrent: null, paths);

    /// <inheritdoc cref="PublishAsync(string, string, string[])"/>
    /// <param name="category">The category.</param>
    /// <param name="name">The job's name.</param>
    /// <param name="torrent">Info-hash of the torrent that the files are in; null: they are in a post.</param>
    /// <param name="paths">The files.</param>
    public async Task<CatalogItem> PublishAsync(string category, string name, string? torrent, string[] paths)
    {
        using var nzb = new MemoryStream(Encoding.UTF8.GetBytes($"<nzb>{category}/{name}</nzb>"));
        await Jobs.EnqueueAsync(new NewJob { Name = name, Category = category, Source = JobSource.Dav }, nzb, CancellationToken.None);
        var job = await Jobs.ClaimAsync("test", TimeSpan.FromMinutes(1), CancellationToken.None);
        var map = MapOf(1000);
        var hash = torrent is not null ? job!.Nzb!.Value : await Maps.PutAsync(map, sizesVerified: true, CancellationToken.None);
        var files = paths.Select(path => new PublishedFile
        {
            Path = path.Split('/'),
            Size = map.Length,
            ExtentMap = hash,
            Torrent = torrent is null ? null : new TorrentPart(torrent, Array.IndexOf(paths, path)),
        }).ToList();
        return (await Jobs.PublishAsync(job!, new JobPublication { Files = files }, CancellationToken.None))!;
    }

    public static StorePath PathOf(string path) => StorePath.TryParse(path.Replace(" ", "%20", StringComparison.Ordinal))!;

    public ValueTask<IStoreItem?> FindAsync(string path) => Store.GetItemAsync(PathOf(path), CancellationToken.None);

    public async Task<List<string>> ListAsync(string path, LibraryStore? store = null)
    {
        var names = new List<string>();
        await foreach (var child in ((IStoreCollection)(await (store ?? Store).GetItemAsync(PathOf(path), CancellationToken.None))!)
            .GetChildrenAsync(CancellationToken.None))
            names.Add(child.IsCollection ? child.Name + "/" : child.Name);
        return names;
    }

    public async Task<StoreWriteStatus> DeleteAsync(string path) => (await TryDeleteAsync(path)).Status;

    public async Task<StoreWriteResult> TryDeleteAsync(string path) =>
        await (await ParentAsync(path)).DeleteAsync(PathOf(path).Name, CancellationToken.None);

    public async Task<StoreWriteStatus> MoveAsync(string from, string to) =>
        (await (await ParentAsync(from))
            .MoveAsync(PathOf(from).Name, await ParentAsync(to), PathOf(to).Name, CancellationToken.None)).Status;

    /// <summary>What is known against a move before it is tried.</summary>
    public async Task<StoreWriteStatus?> RefusalOfMoveAsync(string from, string to) =>
        (await ParentAsync(from)).RefusalOf(await ParentAsync(to), PathOf(to).Name, isMove: true)?.Status;

    public async Task<StoreWriteStatus> CopyAsync(string from, string to, bool recursive = true) =>
        (await (await ParentAsync(from))
            .CopyAsync(PathOf(from).Name, await ParentAsync(to), PathOf(to).Name, recursive, CancellationToken.None)).Status;

    public async Task<StoreWriteStatus> MakeAsync(string path) =>
        (await (await ParentAsync(path)).CreateCollectionAsync(PathOf(path).Name, CancellationToken.None)).Status;

    public Task<StoreWriteResult> PutAsync(string path, string text) => PutAsync(path, Encoding.UTF8.GetBytes(text));

    public async Task<StoreWriteResult> PutAsync(string path, byte[] bytes, bool tellLength = true) =>
        await (await ParentAsync(path)).PutAsync(
            PathOf(path).Name, PipeReader.Create(new MemoryStream(bytes)), tellLength ? bytes.Length : null, CancellationToken.None);

    public async Task<string> TextAsync(string path)
    {
        var file = (IStoreFile)(await FindAsync(path))!;
        var opened = await file.OpenAsync(CancellationToken.None);
        await using var reader = opened.Content!.OpenReader(0, file.Length, ReadIntent.Playback);
        var text = new StringBuilder();
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                return text.ToString();
            text.Append(Encoding.UTF8.GetString(lease.Memory.Span));
        }
    }

    public async ValueTask DisposeAsync()
    {
        _readers.Dispose();
        await _usenet.DisposeAsync();
        await Database.DisposeAsync();
        Pool.AssertAllReturned();
        Pool.AssertNothingReserved();
        Directory.Delete(Folder, recursive: true);
    }

    private static ExtentMap MapOf(int size)
    {
        var builder = new SegmentTable.Builder();
        builder.Add("one@test"u8, 0, size);
        return ExtentMap.OfWholeSegments(builder.Build());
    }

    private async Task<IStoreCollection> ParentAsync(string path) =>
        (IStoreCollection)(await Store.GetParentForWriteAsync(PathOf(path).Parent, CancellationToken.None))!;

    /// <summary>Files published here have no inferred layout.</summary>
    private sealed class NoMender : ILayoutCorrector
    {
        public Task<ExtentMap> LayOutAsync(CatalogItem item, ExtentMap wrong, CancellationToken cancellationToken) =>
            throw new NotSupportedException();
    }
}

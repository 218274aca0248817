using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Settings;
using NzbDav.Library.Holding;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Tests.Holding;

/// <summary>A tree, a library's folder with links, and the keeper between them.</summary>
internal sealed class KeeperFixture : IAsyncDisposable
{
    private KeeperFixture(LibraryFixture library)
    {
        Library = library;
        Folder = Path.Combine(library.Folder, "library");
        Directory.CreateDirectory(Folder);
        File.WriteAllText(Path.Combine(Folder, "folder.jpg"), "not empty");
        Options = new Live<KeepingOptions>(new KeepingOptions { Folders = [Folder], Trial = TimeSpan.Zero });
        Keeper = NewKeeper();
    }

    public LibraryFixture Library { get; }

    /// <summary>The library's folder.</summary>
    public string Folder { get; }

    public Live<KeepingOptions> Options { get; }

    public List<StubArr> Arrs { get; } = [];

    /// <summary>Info-hashes of the torrents that are still to be seeded.</summary>
    public HashSet<string> Seeding { get; } = [];

    public LibraryKeeper Keeper { get; private set; }

    public KeeperReport Last => Keeper.Last!;

    public static async Task<KeeperFixture> OpenAsync() => new(await LibraryFixture.OpenAsync());

    /// <summary>Simulates a restart: only the catalog is remembered.</summary>
    public async Task RestartAsync()
    {
        Keeper.Dispose();
        await Library.Unwanted.LoadAsync(CancellationToken.None);
        Keeper = NewKeeper();
    }

    /// <summary>Moves a file's link from the view into the library, as an *arr does.</summary>
    /// <param name="path">The file's path in <c>/content</c>.</param>
    /// <param name="name">Path of the link, below <see cref="Folder"/>.</param>
    /// <returns>The path of the link.</returns>
    public async Task<string> LinkAsync(string path, string name)
    {
        var target = await Library.TextAsync(path.Replace("/content/", "/completed-symlinks/", StringComparison.Ordinal) + ".rclonelink");
        var link = Path.Combine(Folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(link)!);
        File.CreateSymbolicLink(link, target);
        return link;
    }

    /// <summary>Publishes and links jobs of one file each.</summary>
    public async Task<string[]> LinkManyAsync(int count)
    {
        var links = new List<string>();
        for (var i = 0; i < count; i++)
        {
            await Library.PublishAsync("movies", $"Film {i}", "film.mkv");
            links.Add(await LinkAsync($"/content/movies/Film {i}/film.mkv", $"Film {i}/film {i}.mkv"));
        }

        return [.. links];
    }

    /// <summary>
    /// Publishes and links a film, deletes the link, and sweeps again after <paramref name="later"/>: the film is hidden.
    /// </summary>
    /// <returns>The path of the deleted link, and its target.</returns>
    public async Task<(string Link, string Target)> HideOneAsync(TimeSpan later)
    {
        var link = (await LinkManyAsync(1))[0];
        await SweepAsync();
        var target = new FileInfo(link).LinkTarget!;
        File.Delete(link);
        await SweepAsync();
        await SweepAsync(later);
        Assert.False(await IsShownAsync("/content/movies/Film 0/film.mkv"));
        return (link, target);
    }

    public async Task<KeeperReport?> SweepAsync(TimeSpan later = default, bool accept = false)
    {
        Library.Time.Advance(later);
        return await Keeper.SweepAsync(Library.Time.GetUtcNow(), accept, CancellationToken.None);
    }

    /// <summary>Deletes as a client of the whole server does: its tree reads the libraries again where links are in the way.</summary>
    public async Task<StoreWriteResult> DeleteAsync(string path)
    {
        var place = LibraryFixture.PathOf(path);
        var folder = await Library.NewStore(keeper: Keeper).GetItemAsync(place.Parent, CancellationToken.None);
        return await ((IStoreCollection)folder!).DeleteAsync(place.Name, CancellationToken.None);
    }

    public Task SettleAsync() => Keeper.DecideAbandonedAsync(Library.Time.GetUtcNow(), CancellationToken.None);

    public async Task<bool> IsShownAsync(string path) => await Library.FindAsync(path) is not null;

    /// <summary>Whether the path is in the catalog, shown or hidden.</summary>
    public async Task<bool> IsThereAsync(string path) =>
        await Library.Tree.ResolveAsync([.. LibraryFixture.PathOf(path).Segments], CancellationToken.None) is not null;

    public async Task<string[]> LostAsync() =>
        [.. (await Library.Unwanted.ListLostAsync(CancellationToken.None)).Select(file => file.Holder)];

    public async ValueTask DisposeAsync()
    {
        Keeper.Dispose();
        await Library.DisposeAsync();
    }

    private LibraryKeeper NewKeeper() => new(
        Library.Holds,
        Library.Unwanted,
        Library.Deleter,
        Library.Tree,
        Library.Aliases,
        () => [.. Options.Value.Folders.Select(folder => new LibraryFolder(folder, Library.Holds)), .. Arrs],
        _ => new(Seeding),
        Options,
        NullLogger<LibraryKeeper>.Instance);
}

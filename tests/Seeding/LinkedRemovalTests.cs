using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Swarms;

namespace NzbDav.Seeding.Tests;

/// <summary>Removing a torrent with its data while a library is linked to a file of it, wherever that file is. Files 0 and 1 are the film
/// and its .nfo.</summary>
public sealed class LinkedRemovalTests : IAsyncLifetime
{
    private readonly TemporaryFolder _folder = new();
    private readonly Swarm _swarm = new(SeedingFixture.Film(200_000), []);
    private SeedingFixture _fixture = null!;
    private HoldStore _holds = null!;
    private UnwantedItems _unwanted = null!;

    public async ValueTask InitializeAsync()
    {
        _fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        _unwanted = new UnwantedItems(_fixture.Database);
        _holds = new HoldStore(_fixture.Database, _unwanted);
    }

    public async ValueTask DisposeAsync()
    {
        await _fixture.DisposeAsync();
        await _swarm.DisposeAsync();
        _folder.Dispose();
    }

    [Fact]
    public async Task Without_a_link_every_file_is_deleted()
    {
        var hash = await AddTwiceAsync();
        await RemoveAsync(hash);
        Assert.Empty(await FilesAsync(hash));
        Assert.Null(await _fixture.Store.FindAsync(hash, default));
    }

    [Fact]
    public async Task A_link_to_a_file_that_an_earlier_grab_published_keeps_it()
    {
        var hash = await AddTwiceAsync();
        await LinkAsync((await FilesAsync(hash))[0]);
        await RemoveAsync(hash);
        await AssertOnDiskAsync(hash, 4);
    }

    [Fact]
    public async Task A_path_that_was_given_for_an_earlier_grabs_file_keeps_it_while_no_reading_has_come_since()
    {
        var hash = await AddTwiceAsync();
        await new LinkStore(_fixture.Database).MarkLinkReadAsync((await FilesAsync(hash))[0].Id, default);
        await RemoveAsync(hash);
        await AssertOnDiskAsync(hash, 4);
    }

    [Fact]
    public async Task A_link_that_was_read_keeps_the_files_though_a_library_was_read_since()
    {
        // The *arr reads the link, the library is read, and only then the *arr imports and has the torrent deleted.
        var hash = await _fixture.AddAsync(_swarm);
        var file = (await FilesAsync(hash))[0];
        await new LinkStore(_fixture.Database).MarkLinkReadAsync(file.Id, default);
        _fixture.Clock.Advance(TimeSpan.FromHours(1));
        await _holds.RecordAsync([], ["tv"], _fixture.Clock.GetUtcNow(), default);
        Assert.True((await _holds.FindHolderAsync(file.Id, default)).IsUnlinked);
        await RemoveAsync(hash);
        await AssertOnDiskAsync(hash, 2);
        Assert.Single(await _unwanted.ListAbandonedAsync(default));
    }

    [Fact]
    public async Task A_torrent_that_was_published_while_it_was_removed_is_removed_with_its_files()
    {
        var removal = new TorrentRemoval(
            _fixture.Store, _fixture.Jobs, _fixture.Tree, new TorrentPlaces(_fixture.Database), _holds, _unwanted);
        var hash = await _fixture.AddAsync(_swarm);
        var published = Assert.Single(await new TorrentPlaces(_fixture.Database).ListSourcesAsync(hash, default));
        await removal.RemoveAsync(published with { ItemId = null, Job = JobState.Running }, withData: true, default);
        Assert.Empty(await FilesAsync(hash));
        Assert.Null(await _fixture.Store.FindAsync(hash, default));
    }

    [Fact]
    public async Task A_link_keeps_the_files_of_a_torrent_whose_history_entry_was_deleted()
    {
        var hash = await _fixture.AddAsync(_swarm);
        var files = await FilesAsync(hash);
        await _fixture.Jobs.DeleteAsync(files[0].JobId!.Value, withContent: false, default);
        await LinkAsync(files.MaxBy(static file => file.Id)!);
        await RemoveAsync(hash);
        await AssertOnDiskAsync(hash, 2);
    }

    [Fact]
    public async Task A_link_keeps_a_file_that_was_moved_to_another_folder()
    {
        var hash = await _fixture.AddAsync(_swarm);
        var file = (await FilesAsync(hash))[0];
        var other = await _fixture.Tree.EnsureCollectionAsync([JobStore.ContentCollection, "films", "Other"], default);
        Assert.Equal(RelocationOutcome.Done, await _fixture.Tree.MoveAsync(file.Id, other.Id, file.Name, default));
        await LinkAsync(file);
        await RemoveAsync(hash);
        await AssertOnDiskAsync(hash, 2);
    }

    /// <summary>Adds the torrent, takes it off the list but not off the disk, and adds it again.</summary>
    private async Task<string> AddTwiceAsync()
    {
        var hash = await _fixture.AddAsync(_swarm);
        Assert.Equal(1, await _fixture.Shelf.RemoveAsync([hash], withData: false, default));
        await _fixture.AddAsync(_swarm);
        Assert.Equal(4, (await FilesAsync(hash)).Count);
        return hash;
    }

    private ValueTask<IReadOnlyList<CatalogItem>> FilesAsync(string hash) =>
        new TorrentPlaces(_fixture.Database).ListFilesAsync(hash, default);

    private Task LinkAsync(CatalogItem file) =>
        _holds.AddAsync(new Dictionary<long, string> { [file.Id] = "/library/film.mkv" }, _fixture.Clock.GetUtcNow(), default);

    private async Task RemoveAsync(string hash) => Assert.Equal(1, await _fixture.Shelf.RemoveAsync([hash], withData: true, default));

    private async Task AssertOnDiskAsync(string hash, int files)
    {
        Assert.Null(await _fixture.Shelf.FindAsync(hash, default));
        Assert.NotNull((await _fixture.Store.FindAsync(hash, default))?.Removed);
        Assert.Equal(files, (await FilesAsync(hash)).Count);
    }
}

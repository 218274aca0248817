using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Torrents;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Gateways;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Tests.Gateways;

/// <summary>A file of a torrent that one of two gateways owns.</summary>
public sealed class OwnedTorrentTests : IAsyncLifetime
{
    private static readonly byte[] File = SeededBytes.Make(7, 1_000_000);

    private readonly ManualTimeProvider _time = new();
    private LibraryFixture _library = null!;
    private TorrentOwnership _here = null!;
    private SharedTorrents _shared = null!;
    private TorrentOwners _owners = null!;
    private MemoryContent _swarm = null!;

    public async ValueTask InitializeAsync()
    {
        _library = await LibraryFixture.OpenAsync();
        _owners = new TorrentOwners(_library.Database);
        _here = New("here", "http://here");
        _shared = new SharedTorrents(_here, _library.Views, _library.Pool, _time);
        _swarm = new MemoryContent(File, pool: _library.Pool);
    }

    public async ValueTask DisposeAsync()
    {
        _shared.Dispose();
        await _here.DisposeAsync();
        await _library.DisposeAsync();
    }

    [Fact]
    public async Task A_torrent_that_nobody_owns_is_claimed_and_then_opened_at_once()
    {
        var torrent = Open();
        Assert.Null(torrent.TryOpen());
        Assert.Equal(File, await ContentReads.ReadAsync(Content(torrent), 0, File.Length));
        Assert.True(_here.Owns(Item.Torrent!.InfoHash));
        var reads = _library.Database.Reads;

        // Fetching begins before the first read.
        await using var reader = Content(torrent).OpenReader(5, 10, ReadIntent.Probe);
        Assert.Equal(2, _swarm.ReadersOpened);
        Assert.Equal(File[5..10], await ContentReads.ReadToEndAsync(reader));
        Assert.Equal(File[5..10], await ContentReads.ReadAsync(Own(torrent), 5, 10));
        Assert.Equal(reads, _library.Database.Reads);
    }

    [Fact]
    public async Task A_file_of_anothers_torrent_comes_from_there_by_a_signed_link_to_its_own_path()
    {
        await using var gateway = new FakeGateway(static request => request.AnswerAsync(File));
        await using var there = await OwnAsync(gateway);
        Assert.Equal(File[10..900_000], await ContentReads.ReadAsync(Content(Open()), 10, 900_000));
        Assert.Equal(0, _swarm.ReadersOpened);
        var target = Assert.Single(gateway.Requests).Target;
        Assert.StartsWith(ViewLinks.Mount + "/", target, StringComparison.Ordinal);
        Assert.EndsWith("/film%20one.mkv", target, StringComparison.Ordinal);
        var path = _library.Views.TryRead(target.Split('/')[2])!;
        Assert.Equal("/.own/00000000000004d2", path.ToString());
        Assert.Equal(Item.Id, OwnPath.TryId(path.Name));
    }

    [Fact]
    public async Task What_another_gateway_asks_for_never_comes_from_a_third()
    {
        await using var gateway = new FakeGateway(static request => request.AnswerAsync(File));
        await using var there = await OwnAsync(gateway);
        var failure = await Assert.ThrowsAsync<ContentException>(() => ContentReads.ReadAsync(Own(Open()), 0, 10));
        Assert.Equal(ContentFault.Unavailable, failure.Fault);
        Assert.Empty(gateway.Requests);
    }

    [Fact]
    public async Task A_reader_goes_on_in_the_swarm_when_the_owner_is_gone()
    {
        TorrentOwnership there = null!;
        await using var gateway = new FakeGateway(async request =>
        {
            await request.SendHeadAsync(File.Length);
            await request.SendAsync(File.AsMemory(0, 300_000));
            await there.DisposeAsync();
            request.Break(reset: true);
        });
        there = await OwnAsync(gateway);
        Assert.Equal(File, await ContentReads.ReadAsync(Content(Open()), 0, File.Length));
        Assert.Single(gateway.Requests);
        Assert.InRange(Assert.Single(_swarm.Requests).Start, 0, 300_000);
    }

    [Fact]
    public async Task While_the_lease_of_a_silent_owner_runs_the_read_fails_and_can_be_repeated_later()
    {
        var gateway = new FakeGateway(static request => request.AnswerAsync(File));
        var there = await OwnAsync(gateway);
        await gateway.DisposeAsync();
        await using var reader = Content(Open()).OpenReader(0, File.Length, ReadIntent.Playback);
        var failure = await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));
        Assert.Equal((ContentFault.Unavailable, 0), (failure.Fault, reader.Position));
        Assert.Contains(gateway.Address, failure.Message, StringComparison.Ordinal);
        await there.DisposeAsync();
        Assert.Equal(File, await ContentReads.ReadToEndAsync(reader));
    }

    [Fact]
    public async Task A_reader_of_the_swarm_goes_on_at_the_new_owner_when_this_gateway_is_the_owner_no_longer()
    {
        await using var gateway = new FakeGateway(static request => request.AnswerAsync(File));
        await using var reader = Content(Open()).OpenReader(0, File.Length, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        await _owners.GiveUpAllAsync("here", default);
        await using var there = await OwnAsync(gateway);
        _time.Advance(TorrentOwnership.RenewEvery);
        await _here.Renewing;
        Assert.False(_here.Owns(Item.Torrent!.InfoHash));

        // The torrent is closed here: its reader fails.
        _swarm.FailAt(reader.Position, ContentFault.Unavailable);
        var from = (int)reader.Position;
        Assert.Equal(File[from..], await ContentReads.ReadToEndAsync(reader));
        Assert.Equal(from, Assert.Single(gateway.Requests).Start);
    }

    [Fact]
    public async Task A_failure_of_the_swarm_is_passed_on_while_this_gateway_owns_the_torrent()
    {
        _swarm.FailAt(0, ContentFault.Unavailable, times: 1);
        await using var reader = Content(Open()).OpenReader(0, File.Length, ReadIntent.Playback);
        await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));
        Assert.Equal(File, await ContentReads.ReadToEndAsync(reader));
        Assert.Equal(1, _swarm.ReadersOpened);
    }

    [Fact]
    public async Task A_gateway_without_torrents_reads_from_the_owner_and_claims_nothing()
    {
        await using var gateway = new FakeGateway(static request => request.AnswerAsync(File));
        var torrent = new OwnedTorrent(
            Item, _shared, mayOwn: false, static _ => throw new ContentException(ContentFault.Unavailable, "switched off"));
        var failure = await Assert.ThrowsAsync<ContentException>(() => ContentReads.ReadAsync(Content(torrent), 0, 10));
        Assert.Equal("switched off", failure.Message);
        Assert.Empty(_here.Owned);
        await using var there = await OwnAsync(gateway);
        Assert.Equal(File[..10], await ContentReads.ReadAsync(Content(torrent), 0, 10));
    }

    [Fact]
    public async Task A_torrent_file_of_another_size_is_refused()
    {
        var torrent = new OwnedTorrent(Item with { Size = File.Length + 1 }, _shared, mayOwn: true, _ => new(_swarm));
        var failure = await Assert.ThrowsAsync<ContentException>(() => ContentReads.ReadAsync(Content(torrent), 0, 10));
        Assert.Equal(ContentFault.Corrupt, failure.Fault);
    }

    private static CatalogItem Item { get; } = new()
    {
        Id = 1234,
        ParentId = CatalogItem.RootId,
        Name = "film one.mkv",
        Kind = CatalogItemKind.File,
        Size = File.Length,
        Created = default,
        Modified = default,
        ExtentMap = default(BlobHash),
        Torrent = new TorrentPart(new string('a', 40), 0),
    };

    private static OwnedContent Content(OwnedTorrent torrent) => new(torrent, forwards: true);

    /// <summary>As another gateway opens it.</summary>
    private static OwnedContent Own(OwnedTorrent torrent) => new(torrent, forwards: false);

    private TorrentOwnership New(string name, string address) =>
        new(_owners, _time, name, () => address) { Length = TimeSpan.FromHours(1) };

    private OwnedTorrent Open() => new(Item, _shared, mayOwn: true, _ => new(_swarm));

    /// <summary>Another gateway that owns the torrent.</summary>
    private async Task<TorrentOwnership> OwnAsync(FakeGateway gateway)
    {
        var there = New("there", gateway.Address);
        Assert.Null(await there.ClaimAsync(Item.Torrent!.InfoHash, default));
        return there;
    }
}

using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding.Tests;

/// <summary>Trackers with which a torrent is added again, and what its .torrent says of itself.</summary>
public sealed class ShelfTrackersTests : IDisposable
{
    private static readonly Uri First = new("http://first.example/announce");
    private static readonly Uri Second = new("http://second.example/announce");

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Trackers_of_a_public_torrent_are_merged_and_those_of_a_private_one_stay(bool isPrivate)
    {
        var content = SwarmContent.Make(1, SeedingFixture.PieceLength, [new SwarmFile("film.mkv", 100_000)]);
        await using var swarm = new Swarm(new MockTorrent("film.mkv", content, isPrivate), []);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions());
        var hash = await fixture.AddAsync(swarm, tracker: First);
        var known = await fixture.FindAsync(hash);
        Assert.Equal(isPrivate, known.IsPrivate);
        Assert.Equal(!isPrivate, await fixture.Shelf.Trackers.MergeAsync(known, [[First], [Second]], default));
        Assert.False(await fixture.Shelf.Trackers.MergeAsync(known, [[Second, First]], default) && !isPrivate);
        var trackers = await fixture.Shelf.Trackers.ListAsync(hash, default);
        Assert.Equal(isPrivate ? [First] : [First, Second], trackers!.SelectMany(static tier => tier));
    }

    [Fact]
    public void At_most_two_hundred_trackers_come_together()
    {
        var many = Enumerable.Range(0, 300).Select(static number => (new Uri($"http://{number}.example/announce"), number)).ToArray();
        Assert.Equal(200, ShelfTrackers.Merge([[First]], many)!.Sum(static tier => tier.Count));
        Assert.Null(ShelfTrackers.Merge([[First]], [(First, 3)]));
    }

    [Fact]
    public async Task The_list_knows_comment_and_program_of_a_torrent()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(100_000), []);
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, new SeedingOptions());
        var origin = new TorrentOrigin("https://example.org/7", "mktorrent 1.1", 1_700_000_000);
        var hash = await fixture.AddAsync(swarm, origin: origin);
        Assert.Equal(origin, (await fixture.FindAsync(hash)).Origin);
    }
}

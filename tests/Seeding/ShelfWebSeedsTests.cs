using System.Text;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Seeding.Tests;

/// <summary>Web seeds that the user gives a torrent.</summary>
public sealed class ShelfWebSeedsTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public async Task A_torrent_without_peers_is_fetched_from_one_that_the_user_adds_also_after_a_restart()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(1 << 20), []);
        await using var seed = new MockWebSeed(swarm.Torrent);
        string hash;
        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping))
        {
            hash = await fixture.AddAsync(swarm);
            Assert.Empty((await fixture.Shelf.WebSeeds.ListAsync(hash, default))!);
            Assert.Null(await fixture.Shelf.WebSeeds.ListAsync(new string('a', 40), default));
            Assert.True(await fixture.Shelf.WebSeeds.ChangeAsync(hash, _ => [new Uri(seed.Url)], default));
            Assert.False(await fixture.Shelf.WebSeeds.ChangeAsync(hash, static _ => null, default));
        }

        await using (var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping))
        {
            Assert.Equal([new Uri(seed.Url)], await fixture.Shelf.WebSeeds.ListAsync(hash, default));
            await fixture.UntilAsync(hash, static torrent => torrent.Entry.Completed is not null);
            Assert.Equal(seed.Url, Assert.Single(fixture.Shelf.GetDetails(hash)!.WebSeeds).Address);
        }
    }

    [Fact]
    public async Task Those_of_a_link_that_waits_are_known_before_it_is_opened()
    {
        await using var fixture = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping);
        var hash = new string('b', 40);
        using var link = new MemoryStream(Encoding.UTF8.GetBytes($"magnet:?xt=urn:btih:{hash}&ws=http%3A%2F%2Fa.example%2F"));
        await fixture.Jobs.EnqueueAsync(
            new NewJob { Name = "a", Category = "tv", Source = JobSource.Api, Kind = JobKind.Magnet, ContentHash = hash }, link, default);
        await fixture.Shelf.WebSeeds.ChangeAsync(hash, static seeds => [.. seeds, new Uri("http://b.example/")], default);
        Assert.Equal(["http://a.example/", "http://b.example/"],
            (await fixture.Shelf.WebSeeds.ListAsync(hash, default))!.Select(static seed => seed.AbsoluteUri));
        var torrent = fixture.Sessions.Engine.Add(MagnetLink.Read($"magnet:?xt=urn:btih:{hash}&ws=http%3A%2F%2Fc.example%2F").Value!);
        Assert.Equal(["http://a.example/", "http://b.example/"], torrent.ListWebSeeds().Select(static seed => seed.AbsoluteUri));
    }

    [Fact]
    public void Another_gateways_change_is_noticed()
    {
        var entry = new Catalog.Torrents.TorrentEntry { Hash = new string('a', 40), Category = "tv", Added = default };
        Uri[] seeds = [new("http://a.example/")];
        Assert.False(TorrentOrders.AreSame(entry, entry with { WebSeeds = [] }));
        Assert.False(TorrentOrders.AreSame(entry with { WebSeeds = seeds }, entry with { WebSeeds = [new("http://b.example/")] }));
        Assert.True(TorrentOrders.AreSame(entry with { WebSeeds = seeds }, entry with { WebSeeds = [.. seeds] }));
    }
}

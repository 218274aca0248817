using NzbDav.Fakes;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Tests.WebSeeds;

/// <summary>Web seeds that the user names in place of those of the .torrent or link.</summary>
public sealed class WebSeedChangeTests
{
    [Fact]
    public async Task One_that_is_added_is_used_at_once()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(1_000_000));
        var torrent = fixture.Add();
        var read = WebSeedFixture.ReadAsync(torrent, 0);
        fixture.Engine.UseWebSeeds(torrent.Hash, [new Uri(fixture.Seed.Url)]);
        Assert.Equal(fixture.HashOf(0), await read);
        Assert.Equal(1_000_000L, Assert.Single(torrent.WebSeeds).Downloaded);
    }

    [Fact]
    public async Task Requests_to_one_that_is_removed_end_and_others_go_on()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(1_000_000));
        await using var other = new MockWebSeed(fixture.Torrent);
        var hold = new TaskCompletionSource();
        fixture.Seed.Hold = hold.Task;
        var torrent = fixture.Add(fixture.Seed.Url);
        var read = WebSeedFixture.ReadAsync(torrent, 0);
        await Until.TrueAsync(() => fixture.Seed.Held > 0);
        fixture.Engine.UseWebSeeds(torrent.Hash, [new Uri(other.Url)]);
        Assert.Equal([other.Url], torrent.WebSeeds.Select(static seed => seed.Address));
        await Until.TrueAsync(() => fixture.Seed.Held == 0);
        Assert.Equal(fixture.HashOf(0), await read);
        fixture.Engine.UseWebSeeds(torrent.Hash, []);
        Assert.Empty(torrent.WebSeeds);
        hold.SetResult();
    }

    [Fact]
    public async Task One_that_stays_keeps_its_connection_and_one_that_comes_back_begins_anew()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(1_000_000));
        await using var bad = new MockWebSeed(fixture.Torrent) { IgnoresRanges = true };
        var hold = new TaskCompletionSource();
        fixture.Seed.Hold = hold.Task;
        var torrent = fixture.Add(bad.Url, fixture.Seed.Url);
        var read = WebSeedFixture.ReadAsync(torrent, 0);
        await Until.TrueAsync(() => torrent.WebSeeds[0].State == WebSeedState.Dropped);
        hold.SetResult();
        Assert.Equal(fixture.HashOf(0), await read);
        fixture.Engine.UseWebSeeds(torrent.Hash, [new Uri(fixture.Seed.Url)]);
        Assert.Equal((WebSeedState.Active, 1_000_000L), (torrent.WebSeeds[0].State, torrent.WebSeeds[0].Downloaded));
        fixture.Engine.UseWebSeeds(torrent.Hash, [new Uri(fixture.Seed.Url), new Uri(bad.Url)]);
        Assert.Equal((1_000_000L, null), (torrent.WebSeeds[0].Downloaded, torrent.WebSeeds[1].Reason));
    }

    [Fact]
    public async Task They_hold_for_a_torrent_that_is_opened_later_whatever_its_torrent_or_link_names()
    {
        await using var fixture = new WebSeedFixture(SwarmFixture.OneFile(300_000));
        await using var other = new MockWebSeed(fixture.Torrent);
        fixture.Engine.UseWebSeeds(fixture.Info.Hash, [new Uri(other.Url)]);
        var link = MagnetLink.Read($"{fixture.Torrent.Magnet([], [])}&ws={Uri.EscapeDataString(fixture.Seed.Url)}").Value!;
        var torrent = fixture.Engine.Add(link);
        Assert.Same(torrent, fixture.Add(fixture.Seed.Url));
        Assert.Equal([other.Url], torrent.WebSeeds.Select(static seed => seed.Address));
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));
        Assert.Empty(fixture.Seed.Requests);

        // Once the change is withdrawn, the .torrent's own are used again at the next opening.
        await torrent.DisposeAsync();
        fixture.Engine.UseWebSeeds(torrent.Hash, null);
        Assert.Equal([fixture.Seed.Url], fixture.Add(fixture.Seed.Url).WebSeeds.Select(static seed => seed.Address));
    }

    [Fact]
    public async Task A_private_torrent_uses_those_that_the_user_names()
    {
        var secret = new MockTorrent("film.mkv", SwarmContent.Make(11, 64 << 10, [new SwarmFile("film.mkv", 300_000)]), isPrivate: true);
        await using var fixture = new WebSeedFixture(secret);
        fixture.Engine.UseWebSeeds(fixture.Info.Hash, [new Uri(fixture.Seed.Url)]);
        var torrent = fixture.Engine.Add(MagnetLink.Read(secret.Magnet([], [])).Value!);
        torrent.Describe(fixture.Info);
        Assert.Equal(fixture.HashOf(0), await WebSeedFixture.ReadAsync(torrent, 0));
    }
}

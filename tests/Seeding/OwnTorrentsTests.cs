using NzbDav.Catalog.Torrents;
using NzbDav.Fakes;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;

namespace NzbDav.Seeding.Tests;

/// <summary>Two gateways on one catalog: each torrent runs on one of them.</summary>
public sealed class OwnTorrentsTests : IAsyncLifetime
{
    private readonly TemporaryFolder _folder = new();
    private readonly ManualTimeProvider _clock = new();
    private SeedingFixture _one = null!;
    private SeedingFixture _two = null!;

    public async ValueTask InitializeAsync()
    {
        _one = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, _clock, gateway: "one");
        _two = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, _clock, gateway: "two");
    }

    public async ValueTask DisposeAsync()
    {
        await _one.DisposeAsync();
        await _two.DisposeAsync();
        _folder.Dispose();
    }

    [Fact]
    public async Task Only_the_owner_runs_a_torrent_and_the_other_one_takes_it_over_with_its_totals_when_it_is_given_up()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        var hash = await _one.AddAsync(swarm);
        Assert.Null(await _one.Owners!.ClaimAsync(hash, default));
        await _one.UntilAsync(hash, static torrent => torrent is { State: TorrentState.SeedIdle, Progress: 1 });
        await _two.StepAsync();
        Assert.Empty(_two.Sessions.Engine.Torrents);
        Assert.Empty(_two.Owners!.Owned);
        var shown = await _two.FindAsync(hash);
        Assert.Equal((TorrentState.SeedIdle, 0), (shown.State, shown.Leechers + shown.Seeds));

        var totals = (await _one.FindAsync(hash)).Totals;
        await _one.DisposeAsync();
        _one = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, _clock, gateway: "three");

        // Neither has its data. They leave it to the one that has, for a while.
        await StepBothAsync(TimeSpan.Zero);
        await StepBothAsync(OwnTorrents.ClaimDelay - TimeSpan.FromTicks(1));
        Assert.Empty(_two.Owners.Owned);
        await StepBothAsync(TimeSpan.FromTicks(1));
        Assert.Equal([hash], _two.Owners.Owned.Concat(_one.Owners!.Owned));
        var owner = _two.Owners.Owned.Count > 0 ? _two : _one;
        await owner.UntilAsync(hash, torrent => torrent is { State: TorrentState.SeedIdle, Progress: 1 }
            && torrent.Totals.Downloaded == totals.Downloaded + swarm.Torrent.Content.Length);
    }

    [Fact]
    public async Task The_gateway_that_has_the_data_claims_at_once()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(), [new SeederOptions()]);
        var hash = await _one.AddAsync(swarm);
        await _one.Owners!.ClaimAsync(hash, default);
        await _one.UntilAsync(hash, static torrent => torrent is { State: TorrentState.SeedIdle, Progress: 1 });
        await _one.DisposeAsync();
        await _two.StepAsync();
        _one = await SeedingFixture.OpenAsync(_folder.Path, SeedingFixture.Keeping, _clock, gateway: "one");
        await _one.StepAsync();
        Assert.Equal([hash], _one.Owners!.Owned);
        Assert.Empty(_two.Owners!.Owned);
        Assert.Equal(1, (await _one.FindAsync(hash)).Progress);
    }

    [Fact]
    public async Task A_gateway_claims_few_torrents_in_a_step()
    {
        var swarms = Enumerable.Range(0, OwnTorrents.MostClaims + 2)
            .Select(static number => new Swarm(SeedingFixture.Film(200_000, $"Job {number}"), [new SeederOptions()])).ToList();
        foreach (var swarm in swarms)
            await _one.AddAsync(swarm);
        await StepBothAsync(TimeSpan.Zero);
        _clock.Advance(OwnTorrents.ClaimDelay);
        await _one.Runner.StepAsync(default);
        await _two.Runner.StepAsync(default);
        Assert.Equal((OwnTorrents.MostClaims, 2), (_one.Owners!.Owned.Count, _two.Owners!.Owned.Count));
        foreach (var swarm in swarms)
            await swarm.DisposeAsync();
    }

    [Fact]
    public async Task A_torrent_that_is_lost_stops_and_one_that_needs_nothing_is_given_up()
    {
        await using var swarm = new Swarm(SeedingFixture.Film(200_000), [new SeederOptions()]);
        var hash = await _one.AddAsync(swarm);
        await _one.Owners!.ClaimAsync(hash, default);
        await _one.UntilAsync(hash, static torrent => torrent is { State: TorrentState.SeedIdle, Progress: 1 });
        await new TorrentOwners(_one.Database).GiveUpAllAsync("one", default);
        Assert.Null(await _two.Owners!.ClaimAsync(hash, default));
        await AdvanceAsync(TorrentOwnership.RenewEvery);
        Assert.False(_one.Owners.Owns(hash));
        await _one.Runner.StepAsync(default);

        // Nothing of the runner keeps it open.
        await _one.Sessions.CloseAsync(Assert.Single(_one.Sessions.Engine.Torrents).Hash);
        await _one.StepAsync();
        Assert.Empty(_one.Sessions.Engine.Torrents);

        await _one.Shelf.StopAsync([hash], default);
        await AdvanceAsync(TimeSpan.FromSeconds(15));
        await _two.Runner.StepAsync(default);
        Assert.Equal([hash], _two.Owners.Owned);
        Assert.Empty(_two.Sessions.Engine.Torrents);
        await AdvanceAsync(TorrentOwnership.Linger);
        await _two.Runner.StepAsync(default);
        Assert.Empty(_two.Owners.Owned);
    }

    /// <summary>Moves the clock second by second, so that each renewal is sent at its time.</summary>
    private async Task AdvanceAsync(TimeSpan by)
    {
        for (var left = by; left > TimeSpan.Zero; left -= TimeSpan.FromSeconds(1))
        {
            _clock.Advance(TimeSpan.FromSeconds(1));
            await _one.Owners!.Renewing;
            await _two.Owners!.Renewing;
        }
    }

    private async Task StepBothAsync(TimeSpan by)
    {
        _clock.Advance(by);
        await _two.Runner.StepAsync(default);
        await _one.Runner.StepAsync(default);
    }
}

using NzbDav.Catalog.Database;
using NzbDav.Catalog.Torrents;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests.Torrents;

/// <summary>What a gateway knows of the torrents that it owns.</summary>
public sealed class TorrentOwnershipTests : IAsyncLifetime
{
    private static readonly string First = new('a', 40);
    private static readonly string Second = new('b', 40);

    private readonly ManualTimeProvider _time = new();
    private CatalogFixture _catalog = null!;
    private TorrentOwners _store = null!;
    private TorrentOwnership _one = null!;
    private TorrentOwnership _two = null!;

    public async ValueTask InitializeAsync()
    {
        _catalog = await CatalogFixture.OpenAsync();
        _store = new TorrentOwners(_catalog.Database);
        _one = New("one");
        _two = New("two");
    }

    public async ValueTask DisposeAsync()
    {
        await _one.DisposeAsync();
        await _two.DisposeAsync();
        await _catalog.DisposeAsync();
    }

    [Fact]
    public async Task A_claimed_torrent_is_owned_without_another_query_and_the_other_gateway_learns_whose_it_is()
    {
        Assert.False(_one.Owns(First));
        Assert.Null(await _one.ClaimAsync(First, default));
        var reads = _catalog.Database.Reads;
        Assert.Null(await _one.ClaimAsync(First, default));
        Assert.Null(await _one.FindAsync(First, default));
        Assert.True(_one.Owns(First) && _one.Hold(First) && !_one.Owns(Second));
        Assert.Equal([First], _one.Owned);
        Assert.Equal(reads, _catalog.Database.Reads);

        var owner = new TorrentOwner("one", "http://one");
        Assert.Equal(owner, await _two.ClaimAsync(First, default));
        Assert.Equal(owner, await _two.FindAsync(First, default));
        Assert.Null(await _two.FindAsync(Second, default));
        Assert.False(_two.Owns(First) || _two.Owns(Second));
    }

    [Fact]
    public async Task Renewals_keep_it_and_without_them_it_is_lost_before_the_lease_ends()
    {
        await _one.ClaimAsync(First, default);
        for (var i = 0; i < 4; i++)
            await RenewAsync();
        Assert.True(_one.Owns(First));

        var tries = 0;
        _catalog.Database.BeforeStatement = sql =>
        {
            if (!sql.StartsWith("UPDATE torrent_owners", StringComparison.Ordinal))
                return;
            Interlocked.Increment(ref tries);
            throw new CatalogException(CatalogFault.Unavailable, "The database is away.");
        };
        await RenewAsync();
        Assert.True(_one.Owns(First));
        await AdvanceAsync(TorrentOwnership.Trust - TorrentOwnership.RenewEvery - TimeSpan.FromMilliseconds(1));
        Assert.True(_one.Owns(First));
        await AdvanceAsync(TimeSpan.FromMilliseconds(1));
        Assert.False(_one.Owns(First) || _one.Hold(First));
        Assert.Empty(_one.Owned);
        Assert.True(tries > 1, "a failed renewal is tried again");

        // The lease still runs, so it is this gateway's again once a renewal succeeds.
        _catalog.Database.BeforeStatement = null;
        await AdvanceAsync(TimeSpan.FromSeconds(1));
        Assert.True(_one.Owns(First));
    }

    [Fact]
    public async Task A_renewal_that_finds_another_owner_ends_it()
    {
        await _one.ClaimAsync(First, default);
        await _one.ClaimAsync(Second, default);
        await _store.GiveUpAsync("one", [First], default);
        Assert.Null(await _two.ClaimAsync(First, default));
        await RenewAsync();
        Assert.Equal([Second], _one.Owned);
        Assert.Equal("two", (await _one.ClaimAsync(First, default))!.Gateway);
    }

    [Fact]
    public async Task Another_owner_is_remembered_for_some_seconds_unless_in_doubt()
    {
        await _one.ClaimAsync(First, default);
        await _two.ClaimAsync(First, default);
        await _store.GiveUpAllAsync("one", default);
        Assert.Equal("one", (await _two.ClaimAsync(First, default))!.Gateway);
        _two.ForgetOwner(First);
        Assert.Null(await _two.ClaimAsync(First, default));
    }

    [Fact]
    public async Task Idle_torrents_are_given_up_when_nobody_has_asked_for_them_for_a_while()
    {
        await _one.ClaimAsync(First, default);
        await _one.ClaimAsync(Second, default);
        for (var passed = TimeSpan.Zero; passed < TorrentOwnership.Linger; passed += TorrentOwnership.RenewEvery)
            await RenewAsync();
        Assert.True(_one.Hold(Second));
        await _one.GiveUpIdleAsync([First, Second, new string('c', 40)], default);
        Assert.Equal([Second], _one.Owned);
        Assert.Null(await _two.ClaimAsync(First, default));
    }

    [Fact]
    public async Task Disposal_gives_up_everything()
    {
        await _one.ClaimAsync(First, default);
        await _one.DisposeAsync();
        Assert.False(_one.Owns(First));
        Assert.Empty(await _store.ListAsync(default));
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await _one.ClaimAsync(First, default));
    }

    private TorrentOwnership New(string name) => new(_store, _time, name, () => "http://" + name) { Length = TimeSpan.FromHours(1) };

    private Task RenewAsync() => AdvanceAsync(TorrentOwnership.RenewEvery);

    /// <summary>Moves the clock step by step, so that each renewal is sent at its time.</summary>
    private async Task AdvanceAsync(TimeSpan by)
    {
        for (var left = by; left > TimeSpan.Zero;)
        {
            var step = left < TimeSpan.FromSeconds(1) ? left : TimeSpan.FromSeconds(1);
            _time.Advance(step);
            await _one.Renewing;
            await _two.Renewing;
            left -= step;
        }
    }
}

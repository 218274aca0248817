using NzbDav.Catalog.Torrents;

namespace NzbDav.Catalog.Tests.Torrents;

/// <summary>The leases by which each torrent has one owner at a time.</summary>
public sealed class TorrentOwnersTests : IAsyncLifetime
{
    private static readonly string First = new('a', 40);
    private static readonly string Second = new('b', 40);
    private static readonly TorrentOwner One = new("one", "http://one:8080");
    private static readonly TorrentOwner Two = new("two", "http://two:8080");

    /// <summary>Longer than any test.</summary>
    private static readonly TimeSpan Long = TimeSpan.FromHours(1);

    private CatalogFixture _catalog = null!;
    private TorrentOwners _owners = null!;

    public async ValueTask InitializeAsync()
    {
        _catalog = await CatalogFixture.OpenAsync();
        _owners = new TorrentOwners(_catalog.Database);
    }

    public async ValueTask DisposeAsync() => await _catalog.DisposeAsync();

    [Fact]
    public async Task The_first_claim_wins_until_it_is_released()
    {
        Assert.Null(await _owners.FindAsync(First, default));
        Assert.Equal(One, await _owners.ClaimAsync(First, One, Long, default));
        Assert.Equal(One, await _owners.ClaimAsync(First, Two, Long, default));
        Assert.Equal(One, await _owners.FindAsync(First, default));
        Assert.Equal(One, await _owners.ClaimAsync(First, One, Long, default));
        Assert.Equal([First], await _owners.ListAsync(default));

        await _owners.GiveUpAsync(Two.Gateway, [First], default);
        Assert.Equal(One, await _owners.FindAsync(First, default));
        await _owners.GiveUpAsync(One.Gateway, [First, Second], default);
        Assert.Null(await _owners.FindAsync(First, default));
        Assert.Equal(Two, await _owners.ClaimAsync(First, Two, Long, default));
    }

    [Fact]
    public async Task A_lease_that_has_ended_can_be_claimed_and_not_renewed()
    {
        Assert.Equal(One, await _owners.ClaimAsync(First, One, TimeSpan.Zero, default));
        Assert.Null(await _owners.FindAsync(First, default));
        Assert.Empty(await _owners.ListAsync(default));
        Assert.Empty(await _owners.RenewAsync(One, [First], Long, default));
        Assert.Equal(Two, await _owners.ClaimAsync(First, Two, Long, default));
        Assert.Equal(Two, await _owners.ClaimAsync(First, One, Long, default));
    }

    [Fact]
    public async Task Renewing_renews_ones_own_and_stores_the_address_anew()
    {
        await _owners.ClaimAsync(First, One, Long, default);
        await _owners.ClaimAsync(Second, Two, Long, default);
        var moved = One with { Address = "http://one:9090" };
        Assert.Equal([First], await _owners.RenewAsync(moved, [First, Second, new string('c', 40)], Long, default));
        Assert.Equal(moved, await _owners.FindAsync(First, default));
        Assert.Equal(Two, await _owners.FindAsync(Second, default));

        // A renewal may also shorten the lease.
        Assert.Equal([First], await _owners.RenewAsync(moved, [First], TimeSpan.Zero, default));
        Assert.Null(await _owners.FindAsync(First, default));
    }

    [Fact]
    public async Task A_gateway_that_stops_gives_up_all_of_its_own()
    {
        await _owners.ClaimAsync(First, One, Long, default);
        await _owners.ClaimAsync(Second, Two, Long, default);
        await _owners.GiveUpAllAsync(One.Gateway, default);
        Assert.Equal([Second], await _owners.ListAsync(default));
    }

    [Fact]
    public async Task Of_two_gateways_that_claim_at_once_both_learn_of_the_same_owner()
    {
        await using var other = await _catalog.OpenOtherAsync();
        var others = new TorrentOwners(other.Database);
        var hashes = Enumerable.Range(0, 40)
            .Select(static number => number.ToString("x40", System.Globalization.CultureInfo.InvariantCulture)).ToList();
        var mine = hashes.ConvertAll(hash => _owners.ClaimAsync(hash, One, Long, default));
        var theirs = hashes.ConvertAll(hash => others.ClaimAsync(hash, Two, Long, default));
        Assert.Equal(await Task.WhenAll(mine), await Task.WhenAll(theirs));
        Assert.Equal(hashes.Count, (await _owners.ListAsync(default)).Count);
    }
}

using Dapper;
using NzbDav.Catalog.Gateways;

namespace NzbDav.Catalog.Tests.Gateways;

/// <summary>Gateways on one database that share the connections of accounts.</summary>
public sealed class ConnectionLeaseStoreTests
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    [Fact]
    public async Task A_share_moves_once_its_connections_are_closed()
    {
        await using var one = await CatalogFixture.OpenAsync();
        await using var two = await one.OpenOtherAsync();
        var (a, b) = (new ConnectionLeaseStore(one.Database, "a"), new ConnectionLeaseStore(two.Database, "b"));
        Assert.Equal(new GrantedLease("account", 8, 8), await RenewAsync(a, 8));
        Assert.Equal(new GrantedLease("account", 0, 7), await RenewAsync(b, 8, wanted: 8));

        // Six are in use, and two of them are closed first.
        Assert.Equal(new GrantedLease("account", 8, 4), await RenewAsync(a, 8, kept: 8, wanted: 6));
        Assert.Equal(new GrantedLease("account", 0, 4), await RenewAsync(b, 8, wanted: 8));
        Assert.Equal(new GrantedLease("account", 6, 4), await RenewAsync(a, 8, kept: 6, wanted: 6));
        Assert.Equal(new GrantedLease("account", 2, 4), await RenewAsync(b, 8, wanted: 8));
        Assert.Equal(new GrantedLease("account", 4, 4), await RenewAsync(a, 8, kept: 4, wanted: 6));
        Assert.Equal(new GrantedLease("account", 4, 4), await RenewAsync(b, 8, kept: 2, wanted: 8));
        Assert.Equal(["account a 4 6", "account b 4 8"], Rows(one));

        // The first one needs nothing any more.
        Assert.Equal(new GrantedLease("account", 4, 1), await RenewAsync(a, 8, kept: 4));
        Assert.Equal(new GrantedLease("account", 4, 7), await RenewAsync(b, 8, kept: 4, wanted: 8));
        Assert.Equal(new GrantedLease("account", 1, 1), await RenewAsync(a, 8, kept: 1));
        Assert.Equal(new GrantedLease("account", 7, 7), await RenewAsync(b, 8, kept: 4, wanted: 8));
    }

    [Fact]
    public async Task A_share_that_is_released_is_free_at_once_and_one_that_is_not_only_after_lease_and_grace()
    {
        await using var one = await CatalogFixture.OpenAsync();
        await using var two = await one.OpenOtherAsync();
        var a = new ConnectionLeaseStore(one.Database, "a") { LeaseTime = Hour, GraceTime = Hour };
        var b = new ConnectionLeaseStore(two.Database, "b") { LeaseTime = Hour, GraceTime = Hour };
        await RenewAsync(a, 8, wanted: 8);
        await a.GiveUpAsync(CancellationToken.None);
        Assert.Equal(new GrantedLease("account", 8, 8), await RenewAsync(b, 8));
        await b.GiveUpAsync(CancellationToken.None);

        await RenewAsync(a, 8, wanted: 8);
        Age(one, "a", Hour / 2);
        Assert.Equal(new GrantedLease("account", 0, 4), await RenewAsync(b, 8, wanted: 8));
        Age(one, "a", Hour);
        Assert.Equal(new GrantedLease("account", 0, 0), await RenewAsync(b, 8, wanted: 8));
        Age(one, "a", Hour);
        Assert.Equal(new GrantedLease("account", 8, 8), await RenewAsync(b, 8, wanted: 8));

        // It went on after all: it has nothing, whatever it believes to have.
        Assert.Equal(new GrantedLease("account", 0, 4), await RenewAsync(a, 8, kept: 8, wanted: 8));
    }

    [Fact]
    public async Task A_gateway_that_starts_again_takes_over_what_it_left_unless_that_is_still_renewed()
    {
        await using var one = await CatalogFixture.OpenAsync();
        var former = new ConnectionLeaseStore(one.Database, "former") { LeaseTime = Hour };
        var other = new ConnectionLeaseStore(one.Database, "other") { LeaseTime = Hour };
        var next = new ConnectionLeaseStore(one.Database, "next") { Former = "former", LeaseTime = Hour };
        await RenewAsync(former, 8, wanted: 8);
        await RenewAsync(other, 8, wanted: 2);
        Assert.Equal(new GrantedLease("account", 6, 6), await RenewAsync(former, 8, kept: 6, wanted: 8));
        Assert.Equal(new GrantedLease("account", 2, 2), await RenewAsync(other, 8, wanted: 2));
        Age(one, "former", TimeSpan.FromSeconds(-60));
        Assert.Equal(0, (await RenewAsync(next, 8, wanted: 8)).Granted);
        Age(one, "former", TimeSpan.FromSeconds(64));
        Assert.Equal(new GrantedLease("account", 6, 6), await RenewAsync(next, 8, wanted: 8));
        Assert.Equal(["account next 6 8", "account other 2 2"], Rows(one));
    }

    [Fact]
    public async Task Only_requested_accounts_are_kept_and_rows_of_gateways_that_are_long_gone_are_removed()
    {
        await using var one = await CatalogFixture.OpenAsync();
        var (a, b) = (new ConnectionLeaseStore(one.Database, "a"), new ConnectionLeaseStore(one.Database, "b"));
        await b.RenewAsync([new("y", 3, 0, 0, 0)], CancellationToken.None);
        Assert.Equal(
            [new("x", 2, 2), new GrantedLease("z", 5, 5)],
            await a.RenewAsync([new("x", 2, 0, 0, 0), new("z", 5, 0, 0, 0)], CancellationToken.None));
        Assert.Equal(["x a 2 0", "y b 3 0", "z a 5 0"], Rows(one));
        Age(one, "b", TimeSpan.FromMinutes(5));
        await a.RenewAsync([new("z", 5, 5, 1, 1)], CancellationToken.None);
        Assert.Equal(["z a 5 1"], Rows(one));
        Assert.Empty(await a.RenewAsync([], CancellationToken.None));
        Assert.Empty(Rows(one));
    }

    [Fact]
    public async Task Gateways_that_renew_at_the_same_time_never_have_more_than_the_account_allows()
    {
        const int Most = 10;
        await using var one = await CatalogFixture.OpenAsync();
        await using var two = await one.OpenOtherAsync();
        await using var three = await one.OpenOtherAsync();
        var all = new[] { one, two, three };
        await Task.WhenAll(all.Select((catalog, index) => Task.Run(async () =>
        {
            var random = new Random(index);
            var shares = new ConnectionLeaseStore(catalog.Database, $"g{index}");
            var (share, goal) = (0, 0);
            for (var round = 0; round < 60; round++)
            {
                // It has closed what it was to close, or is still about to.
                var kept = random.Next(2) == 0 ? share : Math.Min(share, goal);
                (_, share, goal) = await RenewAsync(shares, Most, kept, wanted: random.Next(2) * random.Next(20));
                var sum = await catalog.Database.ReadAsync(
                    static reader => reader.ScalarAsync<long>("SELECT SUM(share) FROM connection_shares"), CancellationToken.None);
                Assert.InRange(sum, share, Most);
            }
        })));
    }

    private static async Task<GrantedLease> RenewAsync(ConnectionLeaseStore shares, int most, int kept = 0, int wanted = 0) =>
        Assert.Single(await shares.RenewAsync([new("account", most, kept, wanted, Recent: 0)], CancellationToken.None));

    /// <summary>Lets time pass for a gateway's leases.</summary>
    private static void Age(CatalogFixture catalog, string gateway, TimeSpan by)
    {
        using var connection = catalog.RawConnection();
        Assert.Equal(1, connection.Execute(
            "UPDATE connection_shares SET until = until - @by WHERE gateway = @gateway", new { by = by.Ticks, gateway }));
    }

    private static List<string> Rows(CatalogFixture catalog)
    {
        using var connection = catalog.RawConnection();
        return [.. connection.Query<(string Account, string Gateway, long Share, long Wanted)>(
            "SELECT account, gateway, share, wanted FROM connection_shares ORDER BY account, gateway")
            .Select(static row => $"{row.Account} {row.Gateway} {row.Share} {row.Wanted}")];
    }
}

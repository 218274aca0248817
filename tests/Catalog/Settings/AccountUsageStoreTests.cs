using NzbDav.Catalog.Settings;

namespace NzbDav.Catalog.Tests.Settings;

public class AccountUsageStoreTests
{
    [Fact]
    public async Task Usage_adds_up_in_a_period_and_starts_over_with_a_later_one()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (store, now) = (new AccountUsageStore(catalog.Database), Now(catalog));
        await AddAsync(store, now.AddDays(-40), 5);
        await AddAsync(store, now.AddDays(-40), 6);
        await AssertStoredAsync(store, now.AddDays(-40), 11);
        await AddAsync(store, now.AddDays(-10), 7);
        await AddAsync(store, now.AddDays(-40), 100);
        await AssertStoredAsync(store, now.AddDays(-10), 7);
    }

    [Fact]
    public async Task A_period_that_has_not_begun_is_replaced()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (store, now) = (new AccountUsageStore(catalog.Database), Now(catalog));
        await AddAsync(store, now.AddYears(4), 5);
        await AddAsync(store, now.AddYears(4), 6);
        await AssertStoredAsync(store, now.AddYears(4), 11);
        await AddAsync(store, now.AddDays(-10), 0);
        await AssertStoredAsync(store, now.AddDays(-10), 0);
        await AddAsync(store, now.AddDays(-10), 7);
        await AddAsync(store, now.AddYears(4), 100);
        await AssertStoredAsync(store, now.AddDays(-10), 7);
    }

    [Fact]
    public async Task A_period_that_a_clock_began_a_little_early_stays()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (store, now) = (new AccountUsageStore(catalog.Database), Now(catalog));
        await AddAsync(store, now.AddDays(-10), 7);
        await AddAsync(store, now.AddHours(1), 5);
        await AddAsync(store, now.AddDays(-10), 100);
        await AssertStoredAsync(store, now.AddHours(1), 5);
    }

    /// <summary>The time by the clock of the database.</summary>
    private static DateTimeOffset Now(CatalogFixture catalog) =>
        TestEngine.IsFile ? catalog.Clock.GetUtcNow() : TimeProvider.System.GetUtcNow();

    private static Task AddAsync(AccountUsageStore store, DateTimeOffset since, long bytes) =>
        store.AddAsync([("account", since, bytes)], CancellationToken.None);

    private static async Task AssertStoredAsync(AccountUsageStore store, DateTimeOffset since, long bytes) =>
        Assert.Equal(("account", since, bytes), Assert.Single(await store.ListAsync(CancellationToken.None)));
}

using NzbDav.Catalog.Properties;

namespace NzbDav.Catalog.Tests.Properties;

public sealed class LockStoreTests
{
    private static readonly DateTimeOffset End = new(2026, 3, 1, 13, 0, 0, TimeSpan.Zero);

    [Fact]
    public async Task Locks_are_read_as_they_were_stored_and_changed_as_a_whole()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var store = new LockStore(catalog.Database);
        StoredLock[] locks = [
            Lock("one") with { IsCollection = true, IsDeep = true, Owner = "<D:owner/>" }, Lock("two") with { IsShared = true }];

        await store.UpdateAsync(before => before.Count == 0 ? locks : throw new InvalidOperationException(), CancellationToken.None);
        Assert.Equal(locks, (await store.ListAsync(CancellationToken.None)).OrderBy(static one => one.Token, StringComparer.Ordinal));

        // One is refreshed, one is freed.
        var later = locks[0] with { Expires = End.AddHours(1), Timeout = TimeSpan.FromHours(2) };
        await store.UpdateAsync(before => [.. before.Where(static one => one.Token == "one").Select(_ => later)], CancellationToken.None);
        Assert.Equal(later, Assert.Single(await store.ListAsync(CancellationToken.None)));

        await store.UpdateAsync(static before => before, CancellationToken.None);
        Assert.Equal(later, Assert.Single(await store.ListAsync(CancellationToken.None)));
    }

    private static StoredLock Lock(string token) => new()
    {
        Token = token,
        Root = "/nzbs/movies/a%20b.nzb",
        IsCollection = false,
        IsShared = false,
        IsDeep = false,
        Owner = null,
        Timeout = TimeSpan.FromHours(1),
        Expires = End,
    };
}

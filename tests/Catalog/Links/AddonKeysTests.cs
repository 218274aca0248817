using NzbDav.Catalog.Links;

namespace NzbDav.Catalog.Tests.Links;

public sealed class AddonKeysTests
{
    [Fact]
    public async Task A_key_opens_until_it_is_revoked()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var keys = new AddonKeys(catalog.Database);
        var (row, key) = (await keys.AddAsync("tv", CancellationToken.None))!.Value;
        var (other, _) = (await keys.AddAsync("phone", CancellationToken.None))!.Value;
        Assert.Equal(row, await keys.FindAsync(key, CancellationToken.None));
        Assert.Null(await keys.FindAsync(key + "a", CancellationToken.None));
        Assert.Null(await keys.FindAsync(new string('a', 10_000), CancellationToken.None));
        Assert.Equal([other, row], await keys.ListAsync(CancellationToken.None));
        Assert.True(await keys.ExistsAsync(row.Id, CancellationToken.None));

        Assert.True(await keys.RemoveAsync(row.Id, CancellationToken.None));
        Assert.False(await keys.RemoveAsync(row.Id, CancellationToken.None));
        Assert.Null(await keys.FindAsync(key, CancellationToken.None));
        Assert.False(await keys.ExistsAsync(row.Id, CancellationToken.None));
        Assert.Equal([other], await keys.ListAsync(CancellationToken.None));
    }

    [Fact]
    public async Task There_are_at_most_a_hundred()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var keys = new AddonKeys(catalog.Database);
        for (var i = 0; i < AddonKeys.Most; i++)
            Assert.NotNull(await keys.AddAsync($"{i}", CancellationToken.None));
        Assert.Null(await keys.AddAsync("one more", CancellationToken.None));
        Assert.Equal(AddonKeys.Most, (await keys.ListAsync(CancellationToken.None)).Count);
    }
}

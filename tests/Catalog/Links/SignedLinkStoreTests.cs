using NzbDav.Catalog.Links;
using NzbDav.Catalog.Users;

namespace NzbDav.Catalog.Tests.Links;

/// <summary>Links that people and API keys made.</summary>
public sealed class SignedLinkStoreTests
{
    [Fact]
    public async Task A_players_link_is_extended_and_a_shared_one_is_not()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (store, now) = (new SignedLinkStore(catalog.Database), catalog.Clock.GetUtcNow());
        var play = Link("anna", now, hours: 12) with { IsPlay = true };
        var id = await store.AddAsync(play, CancellationToken.None);
        Assert.Equal(id, await store.AddAsync(play with { Name = "ANNA", Expires = now.AddHours(20) }, CancellationToken.None));
        Assert.Equal(now.AddHours(20), (await store.FindAsync(id, CancellationToken.None))!.Expires);
        Assert.Equal(id, (await store.FindPlayAsync(play, CancellationToken.None))!.Id);

        // Another file, another proof, another maker, another purpose.
        SignedLink[] others = [play with { ItemId = 8 }, play with { Proof = "other" }, play with { Name = "bert" },
            play with { Via = "oidc" }, play with { IsPlay = false }];
        foreach (var other in others)
            Assert.NotEqual(id, await store.AddAsync(other, CancellationToken.None));
        Assert.Equal(6, (await store.ListAsync(maker: null, CancellationToken.None)).Count);
        Assert.Equal(4, (await store.ListAsync(("password", "Anna"), CancellationToken.None)).Count);
    }

    [Fact]
    public async Task Links_end_with_the_password_and_the_user_and_expired_ones_are_removed()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (users, store, now) = (new UserStore(catalog.Database), new SignedLinkStore(catalog.Database), catalog.Clock.GetUtcNow());
        foreach (var name in new[] { "anna", "bert" })
        {
            await users.AddAsync(new StoredUser { Name = name, Hash = "h", Stamp = "s" }, CancellationToken.None);
            await store.AddAsync(Link(name, now, hours: 1), CancellationToken.None);
        }

        await store.AddAsync(Link("anna", now, hours: 1) with { Via = "oidc" }, CancellationToken.None);
        Assert.Equal(UserChange.Done, await users.RemoveAsync("BERT", CancellationToken.None));
        Assert.True(await users.SetPasswordAsync("anna", "h2", "s2", CancellationToken.None));
        var left = Assert.Single(await store.ListAsync(maker: null, CancellationToken.None));
        Assert.Equal("oidc", left.Via);

        await store.AddAsync(Link("anna", now.AddHours(2), hours: 1), CancellationToken.None);
        Assert.Null(await store.FindAsync(left.Id, CancellationToken.None));
        var last = Assert.Single(await store.ListAsync(maker: null, CancellationToken.None));
        Assert.True(await store.RemoveAsync(last.Id, CancellationToken.None));
        Assert.False(await store.RemoveAsync(last.Id, CancellationToken.None));
    }

    [Fact]
    public async Task The_oldest_links_of_a_maker_beyond_a_bound_are_removed()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (store, now) = (new SignedLinkStore(catalog.Database), catalog.Clock.GetUtcNow());
        var other = await store.AddAsync(Link("bert", now, hours: 1), CancellationToken.None);
        var first = await store.AddAsync(Link("anna", now, hours: 1), CancellationToken.None);
        await Task.WhenAll(Enumerable.Range(1, SignedLinkStore.MostPerMaker)
            .Select(number => store.AddAsync(Link("anna", now.AddTicks(number), hours: 1), CancellationToken.None)));
        Assert.Null(await store.FindAsync(first, CancellationToken.None));
        Assert.NotNull(await store.FindAsync(other, CancellationToken.None));
        Assert.Equal(SignedLinkStore.MostPerMaker, (await store.ListAsync(("password", "anna"), CancellationToken.None)).Count);
    }

    private static SignedLink Link(string name, DateTimeOffset now, int hours) => new()
    {
        ItemId = 7,
        Via = UserStore.PasswordSessions,
        Name = name,
        Proof = "stamp=s",
        CreatedAt = now,
        Expires = now.AddHours(hours),
    };
}

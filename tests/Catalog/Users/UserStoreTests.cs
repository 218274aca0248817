using NzbDav.Catalog.Database;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Users;

namespace NzbDav.Catalog.Tests.Users;

/// <summary>Users and their sessions in the catalog.</summary>
public sealed class UserStoreTests
{
    [Fact]
    public async Task Users_of_a_version_without_roles_are_administrators()
    {
        using var folder = new ConfigFolder();
        await using (var before = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System,
            [.. MigrationRunner.Embedded(TestEngine.Name).Where(step => step.Number <= 10)], CancellationToken.None))
        {
            await before.WriteAsync(
                transaction =>
                    transaction.Execute(
                    "INSERT INTO users (id, name, folded, hash, stamp, created) VALUES (1, 'anna', 'ANNA', 'h', 's', 5)"),
                    CancellationToken.None);
        }

        await using var database = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, CancellationToken.None);
        var user = await new UserStore(database).FindAsync("Anna", CancellationToken.None);
        Assert.Equal((UserRole.Administrator, "s", null), (user!.Role, user.Stamp, user.LastSeen));
    }

    [Fact]
    public async Task Sessions_end_with_their_password_and_their_user()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (users, sessions) = (new UserStore(catalog.Database), new SessionStore(catalog.Database));
        foreach (var name in new[] { "anna", "bert" })
        {
            await users.AddAsync(new StoredUser { Name = name, Hash = "h", Stamp = "s" }, CancellationToken.None);
            await sessions.AddAsync(new StoredSession
            {
                Id = name,
                Username = name,
                Via = UserStore.PasswordSessions,
                Seen = catalog.Clock.GetUtcNow()
            }, CancellationToken.None);
        }

        // A session of another kind of user with the same name.
        await sessions.AddAsync(new StoredSession { Id = "other", Username = "anna", Via = "oidc" }, CancellationToken.None);
        Assert.Equal(catalog.Clock.GetUtcNow(), (await users.FindAsync("anna", CancellationToken.None))!.LastSeen);
        Assert.True(await users.SetPasswordAsync("ANNA", "h2", "s2", CancellationToken.None));
        Assert.Equal(["bert", "other"],
            (await sessions.ListAsync(CancellationToken.None)).Select(session => session.Id).Order(StringComparer.Ordinal));
        Assert.Equal(UserChange.Done, await users.RemoveAsync("bert", CancellationToken.None));
        Assert.Equal(["other"], (await sessions.ListAsync(CancellationToken.None)).Select(session => session.Id));
        Assert.Equal(UserChange.LastAdministrator, await users.RemoveAsync("anna", CancellationToken.None));

        // A session that ended meanwhile is not restored.
        await sessions.NoteAsync(
            [new StoredSession { Id = "bert", Username = "bert", Via = UserStore.PasswordSessions }], CancellationToken.None);
        Assert.Single(await sessions.ListAsync(CancellationToken.None));
    }
}

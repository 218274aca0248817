using NzbDav.Catalog.Database;
using NzbDav.Catalog.Health;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Links;

/// <summary>The life of unwanted items survives an upgrade and a kill at any statement, and nothing that is wanted goes with it.</summary>
public class UnwantedTests
{
    private const int Step = 41;
    private static readonly DateTimeOffset Day = new(2031, 5, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly HashSet<string> Nothing = [];

    [Fact]
    public async Task What_an_old_catalog_knew_of_unwanted_items_is_carried_over()
    {
        using var folder = new ConfigFolder();
        var ids = await MakeOldAsync(folder);
        await using var catalog = await CatalogFixture.OpenAsync(folder.Options, CatalogFixture.NewClock());
        await AssertCarriedOverAsync(catalog, ids);

        // Nothing goes but what was due, however late it is.
        var (unwanted, deleter) = Open(catalog);
        var (later, deleted) = (Day.AddYears(1), new List<string>());
        foreach (var (name, id) in ids)
        {
            if (await deleter.DeleteLostAsync(id.File, later, Nothing, CancellationToken.None)
                | await deleter.DeleteAbandonedAsync(id.Post, CancellationToken.None)
                | await Health(catalog).DeleteHiddenAsync(
                    new HealthEvent(id.Post, name, Day, HealthEventKind.Deleted, "."), later, CancellationToken.None))
                deleted.Add(name);
        }

        Assert.Equal(["Hidden", "Accepted", "Released", "Replaced"], deleted);
        Assert.Empty(await Health(catalog).EventsAsync(ids["Checked"].Post, 10, CancellationToken.None));
        Assert.Single(await Health(catalog).EventsAsync(ids["Replaced"].Post, 10, CancellationToken.None));
        foreach (var (name, id) in ids)
            Assert.Equal(!deleted.Contains(name), await catalog.Tree.GetAsync(id.File, CancellationToken.None) is not null);
        await unwanted.LoadAsync(CancellationToken.None);
        Assert.False(unwanted.AnyHidden);
        Assert.Empty(await catalog.Database.CheckIntegrityAsync(CancellationToken.None));
    }

    [Fact]
    public async Task An_upgrade_that_was_killed_at_any_statement_is_made_again()
    {
        var all = MigrationRunner.Embedded(TestEngine.Name);
        var statements = all.Single(static step => step.Number == Step).Sql.Split(';', StringSplitOptions.TrimEntries);
        using var folder = new ConfigFolder();
        var ids = await MakeOldAsync(folder);
        for (var done = 0; done < statements.Length; done++)
        {
            var cut = new Migration(Step, "cut", string.Join(';', statements[..done].Append("SELECT * FROM nowhere")));
            await Assert.ThrowsAnyAsync<Exception>(() => CatalogFixture.OpenAsync(
                folder.Options, CatalogFixture.NewClock(), [.. all.TakeWhile(static step => step.Number < Step), cut]));
        }

        await using var catalog = await CatalogFixture.OpenAsync(folder.Options, CatalogFixture.NewClock());
        await AssertCarriedOverAsync(catalog, ids);
    }

    [Fact]
    public async Task A_kill_at_any_statement_leaves_the_state_before_or_after_a_step()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var (unwanted, deleter) = Open(catalog);
        var holds = new HoldStore(catalog.Database, unwanted);
        var (held, lost) = (await PublishAsync(catalog, "Held"), await PublishAsync(catalog, "Lost"));
        var links = new Dictionary<long, string> { [held.File] = "/tv/held.mkv", [lost.File] = "/tv/lost.mkv" };
        Func<Task>[] steps =
        [
            () => holds.AddAsync(links, Day, CancellationToken.None),
            () => holds.RecordAsync([lost.File], ["tv"], Day, CancellationToken.None),
            () => unwanted.HideAsync([lost.File], Day, CancellationToken.None),
            () => unwanted.ReturnAsync(lost.File, Day, CancellationToken.None),
            () => unwanted.KeepAsync(lost.File, Day, CancellationToken.None),
            () => holds.AddAsync(links, Day, CancellationToken.None),
            () => unwanted.MarkLostAsync([lost.File], Day, CancellationToken.None),
            () => unwanted.AcceptAsync(Day, CancellationToken.None),
            () => unwanted.MarkAbandonedAsync(held.Post, null, CancellationToken.None),
            () => deleter.DeleteAbandonedAsync(held.Post, CancellationToken.None),
            () => unwanted.KeepAbandonedAsync(held.Post, CancellationToken.None),
            () => unwanted.HideAsync([lost.File], Day, CancellationToken.None),
            () => deleter.DeleteLostAsync(lost.File, Day, Nothing, CancellationToken.None),
            () => deleter.DeleteLostAsync(held.File, Day, Nothing, CancellationToken.None),
        ];
        var killed = 0;
        foreach (var step in steps)
        {
            var (before, left) = (await StateAsync(catalog), new List<List<string>>());
            for (var statement = 0; !await RunAsync(catalog, step, statement); statement++)
                left.Add(await StateAsync(catalog));
            var after = await StateAsync(catalog);
            Assert.All(left, state => Assert.True(state.SequenceEqual(before) || state.SequenceEqual(after), string.Join('\n', state)));
            Assert.NotEmpty(left);

            // A process that was killed after the step reads what is hidden when it starts.
            if (left.Exists(state => !state.SequenceEqual(before)))
                await unwanted.LoadAsync(CancellationToken.None);
            await AssertLoadsAsync(catalog, unwanted);
            killed += left.Count;
        }

        Assert.InRange(killed, steps.Length, 100);
        Assert.NotNull(await catalog.Tree.GetAsync(held.File, CancellationToken.None));
        Assert.Null(await catalog.Tree.GetAsync(lost.Post, CancellationToken.None));
        Assert.Equal("/tv/held.mkv", (await holds.FindHolderAsync(held.Post, CancellationToken.None)).Holder);
    }

    /// <summary>Runs a step that is killed before one of its statements.</summary>
    /// <returns>True if it has no such statement, and was done.</returns>
    private static async Task<bool> RunAsync(CatalogFixture catalog, Func<Task> step, int statement)
    {
        catalog.Database.BeforeStatement = _ =>
        {
            if (statement-- == 0)
                throw new TimeoutException();
        };
        try
        {
            await step();
            return true;
        }
        catch (TimeoutException)
        {
            return false;
        }
        finally
        {
            catalog.Database.BeforeStatement = null;
        }
    }

    private static Task<List<string>> StateAsync(CatalogFixture catalog) => catalog.Database.ReadAsync(
        reader => reader.AllAsync<string>(
            "SELECT 'u ' || item_id || ' ' || cause || ' ' || state || ' ' || since || ' ' || changed || ' ' || COALESCE(accepted, 0) " +
            "FROM unwanted UNION ALL SELECT 'h ' || item_id || ' ' || holder FROM holds UNION ALL SELECT 'i ' || id FROM items " +
            "UNION ALL SELECT 'j ' || id FROM jobs ORDER BY 1"),
        CancellationToken.None).AsTask();

    /// <summary>Another process sees the same as the one that did the step.</summary>
    private static async Task AssertLoadsAsync(CatalogFixture catalog, UnwantedItems unwanted)
    {
        await using var other = await catalog.OpenOtherAsync();
        var fresh = new UnwantedItems(other.Database);
        await fresh.LoadAsync(CancellationToken.None);
        Assert.Equal(fresh.Hidden.Order(), unwanted.Hidden.Order());
    }

    private static async Task AssertCarriedOverAsync(CatalogFixture catalog, Dictionary<string, (long Post, long File)> ids)
    {
        var (unwanted, _) = Open(catalog);
        await unwanted.LoadAsync(CancellationToken.None);
        var names = ids.ToDictionary(static pair => pair.Value.File, static pair => pair.Key);
        Assert.Equal(
            [
                ("Lost", UnwantedState.Shown, Day, "/tv/Lost", false),
                ("Hidden", UnwantedState.Hidden, Day.AddDays(1), "/tv/Hidden", false),
                ("Kept", UnwantedState.Kept, Day.AddDays(2), "/tv/Kept", false),
                ("Accepted", UnwantedState.Hidden, Day.AddDays(3), "/tv/Accepted", true),
            ],
            (await unwanted.ListLostAsync(CancellationToken.None))
                .Select(file => (names[file.ItemId], file.State, file.Changed, file.Holder, file.IsAccepted)));
        Assert.All(await unwanted.ListLostAsync(CancellationToken.None), static file => Assert.Equal(Day, file.Since));
        Assert.Equal(
            new[] { ids["Hidden"].Post, ids["Hidden"].File, ids["Accepted"].Post, ids["Accepted"].File, ids["Replaced"].Post }.Order(),
            unwanted.Hidden.Order());
        var given = Assert.Single(await unwanted.ListAbandonedAsync(CancellationToken.None));
        Assert.Equal((ids["Released"].Post, 7, "old"), (given.ItemId, given.JobId, given.DownloadId));
        var holds = new HoldStore(catalog.Database, unwanted);
        Assert.Equal(1, await holds.CountHeldAsync(CancellationToken.None));
        Assert.Equal("/tv/Held", (await holds.FindHolderAsync(ids["Held"].Post, CancellationToken.None)).Holder);
        Assert.Equal(Day, (await Health(catalog).GetAsync(ids["Replaced"].Post, CancellationToken.None))!.Hidden);
        Assert.Null((await Health(catalog).GetAsync(ids["Checked"].Post, CancellationToken.None))!.Hidden);
    }

    /// <summary>A catalog of the version before, with an item in each state, in the order of their names here.</summary>
    private static async Task<Dictionary<string, (long Post, long File)>> MakeOldAsync(ConfigFolder folder)
    {
        var ids = new Dictionary<string, (long Post, long File)>();
        await using var catalog = await CatalogFixture.OpenAsync(
            folder.Options, CatalogFixture.NewClock(),
            [.. MigrationRunner.Embedded(TestEngine.Name).TakeWhile(static step => step.Number < Step)]);
        foreach (var name in (string[])["Held", "Lost", "Hidden", "Kept", "Accepted", "Released", "Replaced", "Checked", "Never"])
            ids.Add(name, await PublishAsync(catalog, name));
        var now = Day.UtcTicks;
        await catalog.Database.WriteAsync(
            transaction =>
            {
                Hold("Held", lost: null);
                Hold("Lost");
                Hold("Hidden", hidden: Day.AddDays(1));
                Hold("Kept", kept: Day.AddDays(2));
                Hold("Accepted", hidden: Day.AddDays(3), accepted: now);
                transaction.Execute(
                    "INSERT INTO releases (item_id, job_id, released, download_id) VALUES (@id, 7, @now, 'old')",
                    new { id = ids["Released"].Post, now });
                Check("Replaced", "Hidden", now);
                Check("Checked", "None", hidden: null);
                return 0;

                void Hold(
                    string name, long? lost = -1, DateTimeOffset? hidden = null, DateTimeOffset? kept = null, long? accepted = null) =>
                    transaction.Execute(
                        "INSERT INTO holds (item_id, holder, held, lost, hidden, kept, accepted) VALUES (@id, @holder, @now, @lost, " +
                        "@hidden, @kept, @accepted)",
                        new
                        {
                            id = ids[name].File,
                            holder = "/tv/" + name,
                            now,
                            lost = lost is null ? lost : now,
                            hidden = hidden?.UtcTicks,
                            kept = kept?.UtcTicks,
                            accepted,
                        });

                void Check(string name, string stage, long? hidden) => transaction.Execute(
                    "INSERT INTO health_posts (item_id, verdict, stage, due, changed, hidden) VALUES (@id, 'Replaced', @stage, 0, 0, " +
                    "@hidden)",
                    new { id = ids[name].Post, stage, hidden });
            },
            CancellationToken.None);
        return ids;
    }

    private static async Task<(long Post, long File)> PublishAsync(CatalogFixture catalog, string name)
    {
        var post = await catalog.PublishAsync(name, "film.mkv");
        return (post.Id, (await catalog.Tree.FindChildAsync(post.Id, "film.mkv", CancellationToken.None))!.Id);
    }

    private static (UnwantedItems Unwanted, UnwantedDeleter Deleter) Open(CatalogFixture catalog)
    {
        var unwanted = new UnwantedItems(catalog.Database);
        return (unwanted, new UnwantedDeleter(catalog.Database, catalog.Jobs, catalog.Collector, unwanted));
    }

    private static HealthStore Health(CatalogFixture catalog)
    {
        var (unwanted, deleter) = Open(catalog);
        return new HealthStore(catalog.Database, unwanted, deleter, catalog.Collector);
    }
}

using Microsoft.Extensions.Time.Testing;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tests.Backup;

/// <summary>A backup that replaces the current state at the next start.</summary>
public sealed class RestorePlanTests
{
    /// <summary>The process dies before each step of the start in turn; then the folder is opened as a start does.</summary>
    [Fact]
    public async Task A_crash_at_any_step_of_the_start_leaves_a_consistent_state_and_the_next_start_completes_it()
    {
        await using var source = await CatalogFixture.OpenAsync();
        var file = await BackUpAsync(source);
        var steps = 0;
        for (var step = 1; ; step++)
        {
            using var folder = new ConfigFolder();
            await MakeOldAsync(folder, source.Clock);
            var plan = new RestorePlan(folder.Options, source.Clock);
            plan.Prepare(file, "known.zip", source.Options.BackupFolder, CancellationToken.None);
            Assert.Equal("Old", await NameAsync(folder.Options, source.Clock));
            if (!DiesAt(step, plan))
                break;
            steps++;
            var outcome = new RestorePlan(folder.Options, source.Clock).Apply()!;
            Assert.Equal(("known.zip", 0, null), (outcome.Backup.Name, outcome.MissingBlobs, outcome.Error));
            Assert.True(File.Exists(Path.Combine(outcome.Former!, "nzbdav.sqlite")));
            Assert.Equal("New", await NameAsync(folder.Options, source.Clock));
            Assert.Null(plan.Pending);
            Assert.Equal(outcome, plan.Last! with { Backup = outcome.Backup });
            Assert.Single(Directory.GetDirectories(folder.Options.ConfigFolder, "before-restore-*"));
            Assert.Empty(Directory.GetDirectories(folder.Options.ConfigFolder, "restore-*"));
            Assert.Null(new RestorePlan(folder.Options, source.Clock).Apply());
        }

        // The marker, the decision, each rename, the journal, the outcome, the end.
        Assert.InRange(steps, 8, 20);
    }

    [Fact]
    public async Task A_pending_restore_can_be_cancelled_and_leaves_nothing()
    {
        await using var scene = await SceneAsync();
        var (source, folder, plan) = (scene.Source, scene.Folder, scene.Plan);
        Assert.False(plan.Cancel());
        var pending = scene.Prepare();
        Assert.Equal((pending.Requested, "known.zip"), (plan.Pending!.Requested, plan.Pending.Backup.Name));
        Assert.Equal(CatalogFault.Busy, Assert.Throws<CatalogException>(() => scene.Prepare("other.zip")).Fault);
        Assert.True(plan.Cancel());
        Assert.Null(plan.Pending);
        Assert.Null(plan.Apply());
        Assert.Empty(Directory.GetFileSystemEntries(folder.Options.ConfigFolder, "restore*"));
        Assert.Equal("Old", await NameAsync(folder.Options, source.Clock));
    }

    [Fact]
    public async Task A_pending_restore_is_dropped_when_the_catalog_has_moved_to_a_server()
    {
        await using var scene = await SceneAsync();
        scene.Prepare();
        var options = scene.Folder.Options;
        var outcome = new RestorePlan(options with { Connection = "Host=elsewhere" }, scene.Source.Clock).Apply()!;
        Assert.Contains("The catalog is in PostgreSQL", outcome.Error, StringComparison.Ordinal);
        Assert.Null(scene.Plan.Pending);
        Assert.Equal("Old", await NameAsync(options, scene.Source.Clock));
        Assert.Empty(Directory.GetDirectories(options.ConfigFolder, "before-restore-*"));
    }

    [Fact]
    public async Task Invalid_and_newer_backups_are_refused_at_once_and_leave_nothing()
    {
        await using var scene = await SceneAsync(source => source.Database.WriteAsync(
            transaction => transaction.Execute("INSERT INTO migrations (number, name, applied) VALUES (9000, 'tomorrow', 0)"),
            CancellationToken.None));
        var (source, folder, plan, newer) = (scene.Source, scene.Folder, scene.Plan, scene.File);
        var broken = Path.Combine(folder.Options.ConfigFolder, "x.tmp");
        await File.WriteAllBytesAsync(broken, (await File.ReadAllBytesAsync(newer))[..^200]);
        foreach (var (file, fault) in new[] { (newer, CatalogFault.NewerVersion), (broken, CatalogFault.Corrupt) })
        {
            var refusal = Assert.Throws<CatalogException>(
                () => plan.Prepare(file, "known.zip", folder.Options.BackupFolder, CancellationToken.None));
            Assert.Equal(fault, refusal.Fault);
            Assert.StartsWith("known.zip ", refusal.Message, StringComparison.Ordinal);
            Assert.Null(plan.Pending);
            Assert.Empty(Directory.GetFileSystemEntries(folder.Options.ConfigFolder, "restore*"));
        }

        Assert.Equal(CatalogFault.NewerVersion, Assert.Throws<CatalogException>(
            () => CatalogRestore.Restore(newer, folder.Options, source.Clock, CancellationToken.None)).Fault);
    }

    [Fact]
    public async Task A_prepared_restore_that_disappeared_changes_nothing()
    {
        await using var scene = await SceneAsync();
        var (source, folder, plan) = (scene.Source, scene.Folder, scene.Plan);
        scene.Prepare();
        Directory.Delete(Path.Combine(folder.Options.ConfigFolder, "restore-prepared"), recursive: true);
        Assert.NotNull(plan.Apply()!.Error);
        Assert.Null(plan.Pending);
        Assert.Equal("Old", await NameAsync(folder.Options, source.Clock));
    }

    [Fact]
    public async Task A_restore_by_command_replaces_a_pending_one()
    {
        await using var scene = await SceneAsync();
        var (source, folder, plan) = (scene.Source, scene.Folder, scene.Plan);
        scene.Prepare();
        CatalogRestore.Restore(
            scene.File, folder.Options with { BackupFolder = source.Options.BackupFolder }, source.Clock, CancellationToken.None);
        Assert.Null(plan.Pending);
        Assert.Null(plan.Apply());
    }

    [Fact]
    public async Task Removing_a_backup_removes_the_blobs_that_no_other_needs()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var backup = new CatalogBackup(catalog.Options, catalog.Clock);
        var first = backup.Create(BackupReason.Request, CancellationToken.None);
        catalog.Clock.Advance(TimeSpan.FromMinutes(1));
        await catalog.EnqueueAsync();
        var second = backup.Create(BackupReason.Request, CancellationToken.None);
        Assert.NotEmpty(Directory.GetFiles(Path.Combine(backup.Folder, "blobs"), "*", SearchOption.AllDirectories));
        Assert.False(backup.Remove("nzbdav-none.zip"));
        Assert.False(backup.Remove("../nzbdav.sqlite"));
        Assert.True(backup.Remove(second.Name));
        Assert.Equal([first.Name], backup.List().Select(one => one.Name));
        Assert.Empty(Directory.GetFiles(Path.Combine(backup.Folder, "blobs"), "*", SearchOption.AllDirectories));
    }

    /// <param name="prepare">Changes the catalog before it is backed up.</param>
    private static async Task<Scene> SceneAsync(Func<CatalogFixture, Task>? prepare = null)
    {
        var source = await CatalogFixture.OpenAsync();
        if (prepare is not null)
            await prepare(source);
        var file = await BackUpAsync(source);
        var folder = new ConfigFolder();
        await MakeOldAsync(folder, source.Clock);
        return new Scene(source, file, folder);
    }

    private static async Task<string> BackUpAsync(CatalogFixture source)
    {
        await source.PublishAsync("New", "new file");
        var backup = new CatalogBackup(source.Options, source.Clock);
        return Path.Combine(backup.Folder, backup.Create(BackupReason.Request, CancellationToken.None).Name);
    }

    private static async Task MakeOldAsync(ConfigFolder folder, FakeTimeProvider clock)
    {
        await using var before = await CatalogFixture.OpenAsync(folder.Options.ConfigFolder, clock, ownsFolder: false);
        await before.PublishAsync("Old", "old file");
    }

    /// <summary>The name of the only job, which must be readable.</summary>
    private static async Task<string> NameAsync(CatalogOptions options, FakeTimeProvider clock)
    {
        await using var after = await CatalogFixture.OpenAsync(options.ConfigFolder, clock, ownsFolder: false);
        var movies = await after.ResolveAsync("content/movies");
        var name = Assert.Single(await after.NamesAsync(movies!.Id));
        var item = await after.ResolveAsync($"content/movies/{name}/{name.ToLowerInvariant()} file");
        Assert.Equal(item!.Size, (await after.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Map.Length);
        return name;
    }

    private static bool DiesAt(int step, RestorePlan plan)
    {
        var seen = 0;
        try
        {
            plan.Apply(_ =>
            {
                if (++seen == step)
                    throw new InvalidOperationException("The process died.");
            });
            return false;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }

    /// <summary>A backup of one catalog, and the folder of another catalog that it will replace.</summary>
    private sealed class Scene(CatalogFixture source, string file, ConfigFolder folder) : IAsyncDisposable
    {
        public CatalogFixture Source => source;

        public string File => file;

        public ConfigFolder Folder => folder;

        public RestorePlan Plan { get; } = new(folder.Options, source.Clock);

        public PendingRestore Prepare(string name = "known.zip") =>
            Plan.Prepare(file, name, source.Options.BackupFolder, CancellationToken.None);

        public async ValueTask DisposeAsync()
        {
            folder.Dispose();
            await source.DisposeAsync();
        }
    }
}

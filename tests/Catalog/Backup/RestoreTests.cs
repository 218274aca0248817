using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tests.Backup;

public class RestoreTests
{
    /// <summary>The process dies before each step in turn; then the folder is opened as usual.</summary>
    [Fact]
    public async Task A_crash_at_any_step_of_a_restore_leaves_the_old_state_or_the_new_one()
    {
        await using var source = await CatalogFixture.OpenAsync();
        await source.PublishAsync("New", "new file");
        WriteKey(source.Options, "new key");
        var backup = new CatalogBackup(source.Options, source.Clock);
        var file = Path.Combine(backup.Folder, backup.Create(BackupReason.Request, CancellationToken.None).Name);
        var (old, restored) = (0, 0);
        for (var step = 1; ; step++)
        {
            using var folder = new ConfigFolder();
            await using (var before = await CatalogFixture.OpenAsync(folder.Options.ConfigFolder, source.Clock, ownsFolder: false))
            {
                await before.PublishAsync("Old", "old file");
                WriteKey(folder.Options, "old key");
            }

            if (!DiesAt(step, file, folder.Options, source.Clock))
                break;
            await using (var after = await CatalogFixture.OpenAsync(folder.Options.ConfigFolder, source.Clock, ownsFolder: false))
            {
                var movies = await after.ResolveAsync("content/movies");
                var name = Assert.Single(await after.NamesAsync(movies!.Id));
                Assert.Equal(name.ToLowerInvariant() + " key",
                    await File.ReadAllTextAsync(Path.Combine(folder.Options.ConfigFolder, "keys", "api")));
                var item = await after.ResolveAsync($"content/movies/{name}/{name.ToLowerInvariant()} file");
                Assert.Equal(item!.Size, (await after.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Map.Length);
                Assert.False(File.Exists(RestoreJournal.PathIn(folder.Options.ConfigFolder)));
                _ = name == "Old" ? old++ : restored++;
            }

            // The next restore is possible, with nothing left of this one.
            CatalogRestore.Restore(file, folder.Options, source.Clock, CancellationToken.None);
            Assert.Empty(Directory.GetDirectories(folder.Options.ConfigFolder, "restore-*"));
        }

        Assert.Equal((1, 8), (old, restored));
    }

    [Fact]
    public async Task A_restore_takes_blobs_from_the_quarantine()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var job = await catalog.EnqueueAsync();
        var backup = new CatalogBackup(catalog.Options, catalog.Clock);
        var file = Path.Combine(backup.Folder, backup.Create(BackupReason.Request, CancellationToken.None).Name);
        Directory.Delete(Path.Combine(backup.Folder, "blobs"), recursive: true);
        catalog.Clock.Advance(TimeSpan.FromDays(1));
        Assert.True(((FolderBlobs)catalog.Blobs.Place).Quarantine.TryQuarantine(job.Nzb!.Value, catalog.Clock.GetUtcNow().UtcDateTime));
        await catalog.Database.DisposeAsync();
        Assert.Equal(0, CatalogRestore.Restore(file, catalog.Options, catalog.Clock, CancellationToken.None).MissingBlobs);
        Assert.True(await catalog.Blobs.ExistsAsync(job.Nzb.Value, CancellationToken.None));
    }

    /// <summary>An exception stands for the crash. When there is a journal, the cleanup that follows an exception is skipped.</summary>
    private static bool DiesAt(int step, string file, CatalogOptions options, TimeProvider time)
    {
        var seen = 0;
        try
        {
            CatalogRestore.Restore(file, options, time, _ => Die(ref seen, step), CancellationToken.None);
            return false;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }

    private static void Die(ref int seen, int step)
    {
        if (++seen == step)
            throw new InvalidOperationException("The process died.");
    }

    private static void WriteKey(CatalogOptions options, string key)
    {
        var folder = Path.Combine(options.ConfigFolder, "keys");
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, "api"), key);
    }
}

using System.Diagnostics;
using System.IO.Compression;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Opening;
using NzbDav.Catalog.Tree;

namespace NzbDav.Catalog.Tests.Backup;

public class BackupTests(ITestOutputHelper output)
{
    [Fact]
    public async Task A_backup_never_names_blobs_deleted_while_it_runs()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        catalog.Segments = CatalogFixture.SegmentsOfBlob;
        var first = await catalog.PublishAsync("First", "a", "b");
        await catalog.PublishAsync("Second", "c");
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        var copies = 0;
        backups.AfterCopy = () =>
        {
            if (copies++ == 0)
#pragma warning disable VSTHRD002 // The backup is synchronous, and nothing else runs on its thread.
                Assert.True(catalog.Tree.DeleteAsync(first.Id, CancellationToken.None).GetAwaiter().GetResult());
#pragma warning restore VSTHRD002
        };
        var made = backups.Create(BackupReason.Request, CancellationToken.None);
        Assert.Equal((2, 0), (copies, made.MissingBlobs));
        await AssertRestoresAsync(catalog, Path.Combine(backups.Folder, made.Name), ["Second"]);
    }

    [Fact]
    public async Task Repaired_articles_are_backed_up_and_restored()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("First", "a");
        var (first, second) = (Patch(catalog.Options, "7/0123abcd"), Patch(catalog.Options, "8/4567cdef"));
        File.WriteAllText(first + ".new", "a crash left it");
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        var made = backups.Create(BackupReason.Request, CancellationToken.None);
        Assert.Equal((2, new FileInfo(first).Length + new FileInfo(second).Length), (made.Patches, made.PatchBytes));
        var complete = Path.Combine(catalog.Options.ConfigFolder, "complete.zip");
        await using (var target = File.Create(complete))
            await backups.WriteCompleteAsync(made.Name, target, CancellationToken.None);

        // Restores from the folder of backups, and from one file elsewhere.
        foreach (var file in (string[])[Path.Combine(backups.Folder, made.Name), complete])
        {
            using var folder = new ConfigFolder();
            Directory.CreateDirectory(folder.Options.ConfigFolder);
            Patch(folder.Options, "9/later");
            var restored = CatalogRestore.Restore(file, folder.Options, catalog.Clock, CancellationToken.None);
            Assert.Equal(0, restored.MissingBlobs);
            Assert.Equal(["7/0123abcd", "8/4567cdef"], new BackupPatches(folder.Options.PatchFolder).List());
            Assert.Equal(File.ReadAllText(second), File.ReadAllText(Path.Combine(folder.Options.PatchFolder, "8", "4567cdef")));
            Assert.True(File.Exists(Path.Combine(restored.Former!, "patches", "9", "later")),
                "the former state was not kept beside the restored one");
        }

        // The patches are deleted with the last backup that needs them.
        Directory.Delete(Path.Combine(catalog.Options.PatchFolder, "8"), recursive: true);
        catalog.Clock.Advance(TimeSpan.FromDays(1));
        backups.Create(BackupReason.Request, CancellationToken.None);
        var kept = new BackupPatches(Path.Combine(backups.Folder, "patches"));
        Assert.Equal(["7/0123abcd", "8/4567cdef"], kept.List());
        Assert.Equal(1, backups.Prune(1));
        Assert.Equal(["7/0123abcd"], kept.List());
    }

    [Fact]
    public async Task A_backup_without_a_patch_list_keeps_existing_patches()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("First", "a");
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        var file = Path.Combine(backups.Folder, backups.Create(BackupReason.Request, CancellationToken.None).Name);
        using (var zip = ZipFile.Open(file, ZipArchiveMode.Update))
            zip.GetEntry("patches.txt")!.Delete();
        using var folder = new ConfigFolder();
        Patch(folder.Options, "7/0123abcd");
        CatalogRestore.Restore(file, folder.Options, catalog.Clock, CancellationToken.None);
        Assert.Equal(["7/0123abcd"], new BackupPatches(folder.Options.PatchFolder).List());
    }

    [Fact]
    public async Task A_list_with_paths_outside_the_folder_is_refused()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("First", "a");
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        var file = Path.Combine(backups.Folder, backups.Create(BackupReason.Request, CancellationToken.None).Name);
        using (var zip = ZipFile.Open(file, ZipArchiveMode.Update))
        {
            zip.GetEntry("patches.txt")!.Delete();
            await using var list = new StreamWriter(zip.CreateEntry("patches.txt").Open());
            await list.WriteAsync("../../keys\n");
        }

        using var folder = new ConfigFolder();
        var refused = Assert.Throws<CatalogException>(
            () => CatalogRestore.Restore(file, folder.Options, catalog.Clock, CancellationToken.None));
        Assert.Equal(CatalogFault.Corrupt, refused.Fault);
    }

    private static string Patch(CatalogOptions options, string name)
    {
        var path = Path.Combine(options.PatchFolder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, "the bytes of " + name);
        return path;
    }

    [Fact]
    public async Task Blobs_are_stored_once_for_all_backups_and_removed_with_the_last_that_needs_them()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        catalog.Segments = CatalogFixture.SegmentsOfBlob;
        var first = await catalog.PublishAsync("First", "a");
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        var names = new List<string>();
        for (var i = 0; i < 4; i++)
        {
            names.Add(backups.Create(BackupReason.Schedule, CancellationToken.None).Name);
            catalog.Clock.Advance(TimeSpan.FromDays(1));
        }

        var kept = Directory.GetFiles(Path.Combine(backups.Folder, "blobs"), "*", SearchOption.AllDirectories);
        Assert.Equal(2, kept.Length);
        await catalog.Jobs.DeleteAsync(first.JobId!.Value, withContent: true, CancellationToken.None);
        names.Add(backups.Create(BackupReason.Schedule, CancellationToken.None).Name);
        Assert.Equal(3, backups.Prune(2));
        Assert.Equal([names[4], names[3]], backups.List().Select(backup => backup.Name));
        Assert.All(kept, path => Assert.True(File.Exists(path)));
        Assert.Equal(1, backups.Prune(1));
        Assert.All(kept, path => Assert.False(File.Exists(path)));
    }

    [Fact]
    public async Task A_lost_blob_is_reported_and_does_not_stop_the_backup()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        catalog.Segments = CatalogFixture.SegmentsOfBlob;
        await catalog.PublishAsync("Job", "a", "b");
        File.Delete(catalog.BlobFiles()[0]);
        var made = new CatalogBackup(catalog.Options, catalog.Clock).Create(BackupReason.Request, CancellationToken.None);
        Assert.Equal((2, 1), (made.Blobs, made.MissingBlobs));
    }

    [Fact]
    public async Task A_damaged_database_is_not_backed_up()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Job", [.. Enumerable.Range(0, 2000).Select(i => $"file {i}")]);
        await catalog.Database.DisposeAsync();
        await using (var file = new FileStream(catalog.Options.DatabasePath, FileMode.Open))
        {
            file.Position = file.Length / 2;
            await file.WriteAsync(new byte[20_000]);
        }

        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        Assert.Equal(CatalogFault.Corrupt,
            Assert.Throws<CatalogException>(() => backups.Create(BackupReason.Request, CancellationToken.None)).Fault);
        Assert.Empty(backups.List());
        Assert.Empty(Directory.GetFiles(backups.Folder, "*.tmp*"));
    }

    [Theory]
    [InlineData("manifest.json")]
    [InlineData("nzbdav.sqlite")]
    [InlineData("keys/../../escape")]
    public async Task Restoring_a_tampered_backup_changes_nothing(string entry)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        await catalog.PublishAsync("Job", "a");
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        var path = Path.Combine(backups.Folder, backups.Create(BackupReason.Request, CancellationToken.None).Name);
        Tamper(path, entry);
        using var other = new ConfigFolder();
        Assert.Throws<CatalogException>(() => CatalogRestore.Restore(path, other.Options, catalog.Clock, CancellationToken.None));
        Assert.True(
            !Directory.Exists(other.Options.ConfigFolder) || Directory.GetFileSystemEntries(other.Options.ConfigFolder).Length == 0);
    }

    [Fact]
    public async Task An_existing_catalog_is_backed_up_before_an_upgrade()
    {
        using var folder = new ConfigFolder();
        var all = MigrationRunner.Embedded(TestEngine.Name);
        await using (var old = await CatalogOpening.OpenAsync(
            folder.Options, TimeProvider.System, [.. all.Take(all.Count - 1)], CancellationToken.None))
            Assert.Null(old.Upgrade);
        await using var database = await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, CancellationToken.None);
        Assert.Equal((all[^2].Number, all[^1].Number), (database.Upgrade!.From, database.Upgrade.To));
        var backups = new CatalogBackup(folder.Options, TimeProvider.System);
        var backup = Assert.Single(backups.List());
        Assert.Equal((BackupReason.Upgrade, all[^2].Number, Path.Combine(backups.Folder, backup.Name)),
            (backup.Reason, backup.Schema, database.Upgrade.Backup));
        using var other = new ConfigFolder();
        CatalogRestore.Restore(database.Upgrade.Backup!, other.Options, TimeProvider.System, CancellationToken.None);
        await using var restored = await CatalogOpening.OpenAsync(
            other.Options, TimeProvider.System, [.. all.Take(all.Count - 1)], CancellationToken.None);
    }

    [Fact]
    public async Task An_existing_catalog_is_not_upgraded_if_its_backup_fails()
    {
        using var folder = new ConfigFolder();
        var all = MigrationRunner.Embedded(TestEngine.Name);
        await (await CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, [.. all.Take(all.Count - 1)], CancellationToken.None))
            .DisposeAsync();
        // A file in place of the folder: backups cannot be written, not even by root.
        await File.WriteAllTextAsync(folder.Options.BackupFolder, "");
        var refused = await Assert.ThrowsAsync<CatalogException>(
            () => CatalogOpening.OpenAsync(folder.Options, TimeProvider.System, CancellationToken.None));
        Assert.Equal(CatalogFault.NotWritable, refused.Fault);
        Assert.StartsWith(
            $"The catalog has to be upgraded from schema {all[^2].Number} to {all[^1].Number}, and the backup before that could not be " +
            $"made. Nothing was changed. '{folder.Options.BackupFolder}' cannot be written", refused.Message, StringComparison.Ordinal);
        // The previous version can still open it.
        await using var old = await CatalogOpening.OpenAsync(
            folder.Options, TimeProvider.System, [.. all.Take(all.Count - 1)], CancellationToken.None);
        Assert.Null(old.Upgrade);
    }

    [Fact]
    public async Task Two_backups_from_before_upgrades_are_kept_besides_the_others()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        foreach (var reason in (string[])[BackupReason.Upgrade, BackupReason.Upgrade, BackupReason.Upgrade, BackupReason.Schedule,
            BackupReason.Request])
        {
            backups.Create(reason, CancellationToken.None);
            catalog.Clock.Advance(TimeSpan.FromHours(1));
        }

        Assert.Equal(2, backups.Prune(1));
        Assert.Equal([BackupReason.Request, BackupReason.Upgrade, BackupReason.Upgrade], backups.List().Select(backup => backup.Reason));
    }

    /// <summary>Sizes of a library: 10,000 rows over 20 different maps of a 7 GB film each, because distinct blobs for all rows would take
    /// minutes to make.</summary>
    [Fact]
    public async Task Size_of_a_backup_of_10_000_files()
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        const int Maps = 20;
        var files = new List<PublishedFile>();
        for (var i = 0; i < 10_000; i++)
            files.Add(i < Maps ? await catalog.FileAsync($"folder/A film with a name of common length {i} 2160p.mkv",
                10_000) : files[i % Maps] with { Path = ["folder", $"A film with a name of common length {i} 2160p.mkv"] });
        await catalog.EnqueueAsync();
        await catalog.Jobs.PublishAsync(await catalog.ClaimAsync(), new JobPublication { Files = files }, CancellationToken.None);
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        var watch = Stopwatch.StartNew();
        var first = backups.Create(BackupReason.Request, CancellationToken.None);
        var took = watch.Elapsed;
        watch.Restart();
        var second = backups.Create(BackupReason.Request, CancellationToken.None);
        output.WriteLine(
            $"first {took.TotalMilliseconds:F0} ms, second {watch.Elapsed.TotalMilliseconds:F0} ms; file {first.Size:N0} bytes; " +
            $"{first.Blobs} blobs of {first.BlobBytes / first.Blobs:N0} bytes each; database " +
            $"{new FileInfo(catalog.Options.DatabasePath).Length:N0} bytes");
        Assert.Equal(first.BlobBytes, second.BlobBytes);
        Assert.InRange(first.Size, 1, 10_000_000);
    }

    private static void Tamper(string path, string entry)
    {
        using var zip = ZipFile.Open(path, ZipArchiveMode.Update);
        zip.GetEntry(entry)?.Delete();
        using var stream = zip.CreateEntry(entry).Open();
        stream.Write("something else"u8);
    }

    private static async Task AssertRestoresAsync(CatalogFixture catalog, string backup, string[] jobs)
    {
        using var other = new ConfigFolder();
        Assert.Equal(0, CatalogRestore.Restore(backup, other.Options, catalog.Clock, CancellationToken.None).MissingBlobs);
        await using var restored = await CatalogFixture.OpenAsync(other.Options.ConfigFolder, catalog.Clock, ownsFolder: false);
        var movies = await restored.ResolveAsync("content/movies");
        Assert.Equal(jobs, await restored.NamesAsync(movies!.Id));
        Assert.All(restored.BlobFiles(), path => Assert.True(BlobHash.TryParse(Path.GetFileName(path), out _)));
    }
}

using System.IO.Compression;
using NzbDav.Catalog.Jobs;
using NzbDav.Fakes;
using NzbDav.Import.Intake;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Import.Tests.Watching;

public sealed class FolderWatchTests
{
    [Fact]
    public async Task Existing_nzb_files_are_imported_by_folder_and_other_files_stay()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var folder = new Dropped();
        folder.Write("One.nzb", NzbWriter.ToBytes(fixture.Post("a.mkv")));
        folder.Write("tv/Two{{pw}}.nzb", NzbWriter.ToBytes(fixture.Post("b.mkv")));
        folder.Write("readme.txt", [1]);
        folder.Write(".uploading.nzb", [1]);
        folder.Write(".hidden/Three.nzb", NzbWriter.ToBytes(fixture.Post("c.mkv")));
        Assert.False(await folder.Watch(fixture).ScanAsync(CancellationToken.None));
        Assert.Equal(["One in other", "Two in tv, pw"], await JobsAsync(fixture));
        Assert.Equal([".hidden/Three.nzb", ".uploading.nzb", "readme.txt"], folder.Files);
    }

    [Fact]
    public async Task A_refused_file_is_kept_next_to_its_reason_and_not_retried()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var folder = new Dropped();
        folder.Write("bad.nzb", "<nzb></nzb>"u8.ToArray());
        var watch = folder.Watch(fixture);
        Assert.False(await watch.ScanAsync(CancellationToken.None));
        Assert.Equal(["bad.nzb.failed", "bad.nzb.failed.txt"], folder.Files);
        Assert.Contains(
            "The NZB lists no files", File.ReadAllText(Path.Combine(folder.Path, "bad.nzb.failed.txt")), StringComparison.Ordinal);
        Assert.False(await watch.ScanAsync(CancellationToken.None));
        Assert.Empty(await JobsAsync(fixture));
    }

    [Fact]
    public async Task A_zip_of_which_a_part_was_refused_is_kept_next_to_the_reasons_and_may_be_dropped_again()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var folder = new Dropped();
        folder.Write("tv/some.nzb.zip",
            Zip(("One.nzb", NzbWriter.ToBytes(fixture.Post("a.mkv"))), ("Two.nzb", "<nzb></nzb>"u8.ToArray()), ("Three.nzb", [1])));
        var watch = folder.Watch(fixture);
        for (var attempt = 0; attempt < 2; attempt++)
        {
            Assert.False(await watch.ScanAsync(CancellationToken.None));
            Assert.Equal(["One in tv"], await JobsAsync(fixture));
            Assert.Equal(["tv/some.nzb.zip.failed", "tv/some.nzb.zip.failed.txt"], folder.Files);
            var reasons = File.ReadAllLines(Path.Combine(folder.Path, "tv/some.nzb.zip.failed.txt"));
            Assert.Equal(["Two.nzb", "Three.nzb"], reasons.Select(static line => line.Split(':')[0]));
            File.Move(Path.Combine(folder.Path, "tv/some.nzb.zip.failed"), Path.Combine(folder.Path, "tv/some.nzb.zip"));
        }
    }

    [Fact]
    public async Task A_file_still_being_written_is_left_alone_until_it_is_complete()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var folder = new Dropped();
        var nzb = NzbWriter.ToBytes(fixture.Post("a.mkv"));
        folder.Write("One.nzb", nzb[..^30], fixture.Clock.GetUtcNow().UtcDateTime);
        var watch = folder.Watch(fixture);
        Assert.True(await watch.ScanAsync(CancellationToken.None));
        Assert.Equal(["One.nzb"], folder.Files);
        folder.Write("One.nzb", nzb, fixture.Clock.GetUtcNow().UtcDateTime);
        Assert.False(await watch.ScanAsync(CancellationToken.None));
        Assert.Empty(folder.Files);
        Assert.Equal(["One in other"], await JobsAsync(fixture));
    }

    [Fact]
    public async Task An_internal_error_concerns_one_file_and_the_others_are_taken()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var folder = new Dropped();
        folder.Write("One.nzb", NzbWriter.ToBytes(fixture.Post("a.mkv")));
        folder.Write("Two.nzb", NzbWriter.ToBytes(fixture.Post("b.mkv")));
        var isFirst = true;
        fixture.Jobs.Changed += _ =>
        {
            if (isFirst)
            {
                isFirst = false;
                throw new InvalidOperationException("A handler with a bug.");
            }
        };
        await folder.Watch(fixture).ScanAsync(CancellationToken.None);
        Assert.Contains("Two in other", await JobsAsync(fixture));
    }

    /// <summary>
    /// What is taken cannot be deleted, so each look would take it again, and one that cannot be imported would fail each time.
    /// </summary>
    [Fact]
    public async Task A_folder_that_cannot_be_written_is_reported_once_and_makes_no_jobs()
    {
        using var disk = SmallDisk.TryMount(1 << 20);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        await using var fixture = await ImportFixture.OpenAsync();
        using var folder = new Dropped(disk.Path);
        folder.Write("One.nzb", NzbWriter.ToBytes(fixture.Post("a.mkv")));
        folder.Write("Bad.nzb", "<nzb></nzb>"u8.ToArray());
        disk.SetReadOnly(true);
        var watch = folder.Watch(fixture);
        for (var look = 0; look < 3; look++)
            await watch.ScanAsync(CancellationToken.None);
        disk.SetReadOnly(false);
        Assert.Empty(await JobsAsync(fixture));
        Assert.Contains("it cannot be written", Assert.Single(fixture.Log.Entries).Message, StringComparison.Ordinal);
        Assert.False(await watch.ScanAsync(CancellationToken.None));
        Assert.Equal(["One in other"], await JobsAsync(fixture));
        Assert.Equal(["Bad.nzb.failed", "Bad.nzb.failed.txt"], folder.Files);
        folder.Write("Two.nzb", NzbWriter.ToBytes(fixture.Post("b.mkv")));
        disk.SetReadOnly(true);
        await watch.ScanAsync(CancellationToken.None);
        disk.SetReadOnly(false);
        Assert.Equal(2, fixture.Log.Entries.Count(static entry => entry.Message.Contains("cannot be written", StringComparison.Ordinal)));
    }

    [Fact]
    public async Task The_same_post_dropped_twice_is_one_job()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var folder = new Dropped();
        var files = fixture.Post("a.mkv");
        folder.Write("One.nzb", NzbWriter.ToBytes(files));
        folder.Write("Again.nzb", NzbWriter.ToBytes(files));
        await folder.Watch(fixture).ScanAsync(CancellationToken.None);
        Assert.Single(await JobsAsync(fixture));
        Assert.Empty(folder.Files);
    }

    [Fact]
    public async Task Files_dropped_later_are_noticed_through_the_file_system()
    {
        await using var fixture = await ImportFixture.OpenAsync();
        using var folder = new Dropped();
        Directory.Delete(folder.Path);
        using var watch = folder.Watch(fixture);
        await watch.StartAsync(CancellationToken.None);
        await Until.TrueAsync(() => Directory.Exists(folder.Path));

        // Written elsewhere and moved in, as careful programs do. No clock moves.
        folder.Write("tv/.part", NzbWriter.ToBytes(fixture.Post("a.mkv")));
        File.Move(Path.Combine(folder.Path, "tv", ".part"), Path.Combine(folder.Path, "tv", "Later.nzb"));
        await Until.TrueAsync(() => folder.Files.Length == 0);
        Assert.Equal(["Later in tv"], await JobsAsync(fixture));
        await watch.StopAsync(CancellationToken.None);
    }

    private static byte[] Zip(params (string Name, byte[] Bytes)[] entries)
    {
        using var packed = new MemoryStream();
        using (var zip = new ZipArchive(packed, ZipArchiveMode.Create, leaveOpen: true))
        {
            foreach (var (name, bytes) in entries)
            {
                using var entry = zip.CreateEntry(name).Open();
                entry.Write(bytes);
            }
        }

        return packed.ToArray();
    }

    private static async Task<List<string>> JobsAsync(ImportFixture fixture)
    {
        var jobs = new List<string>();
        await foreach (var job in fixture.Jobs.List.EachAsync(new JobFilter(), CancellationToken.None))
            jobs.Add($"{job.Name} in {job.Category}{(job.Password is null ? "" : ", " + job.Password)}");
        jobs.Sort(StringComparer.Ordinal);
        return jobs;
    }

    /// <param name="inside">Where the folder is made; null: where all are.</param>
    private sealed class Dropped(string? inside = null) : IDisposable
    {
        public string Path { get; } = inside is null
            ? Directory.CreateTempSubdirectory("nzbdav-watch-").FullName
            : Directory.CreateDirectory(System.IO.Path.Combine(inside, "watch")).FullName;

        public string[] Files => Directory.Exists(Path)
            ? [.. Directory.EnumerateFiles(Path, "*", new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = 0 })
                .Select(file => System.IO.Path.GetRelativePath(Path, file)).Order(StringComparer.Ordinal)]
            : [];

        public FolderWatch Watch(ImportFixture fixture) =>
            new(fixture.Intake, ImportFixture.Options with { WatchFolder = Path }, fixture.Clock, fixture.Log.For<FolderWatch>());

        public void Write(string name, byte[] bytes, DateTime? written = null)
        {
            var file = System.IO.Path.Combine(Path, name);
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(file)!);
            File.WriteAllBytes(file, bytes);
            File.SetLastWriteTimeUtc(file, written ?? new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        }

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}

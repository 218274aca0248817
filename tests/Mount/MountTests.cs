using System.Diagnostics;
using System.Security.Cryptography;
using NzbDav.Conformance.Tests.Stubs;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Mount.Protocol;

namespace NzbDav.Mount.Tests;

/// <summary>The tree as programs see it, through the kernel.</summary>
public sealed class MountTests
{
    private const long Length = 9_000_001;

    [Fact]
    public async Task Files_and_folders_are_listed_with_their_sizes_and_times()
    {
        await using var mount = new MountFixture(static root =>
        {
            root.Add(new StubCollection("films")).Add(new StubFile("ümläut & space.mkv", new StubContent(Length)));
            root.Add(new StubCollection("empty"));
        });
        Assert.Equal(["empty", "films"], Directory.GetDirectories(mount.Place).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        var film = Assert.Single(new DirectoryInfo(mount.At("films")).GetFiles());
        Assert.Equal(("ümläut & space.mkv", Length), (film.Name, film.Length));
        Assert.Equal(new DateTime(2024, 3, 1, 8, 9, 10, 678, DateTimeKind.Utc), film.LastWriteTimeUtc);
        Assert.Equal(0x124, (int)film.UnixFileMode);
        Assert.Empty(Directory.GetFileSystemEntries(mount.At("empty")));
        Assert.False(File.Exists(mount.At("films", "other.mkv")));
        Assert.Throws<PathTooLongException>(() => File.GetLastWriteTime(new string('x', 256)) is var unused
            ? File.OpenRead(mount.At(new string('x', 256))) : null);
    }

    [Fact]
    public async Task A_long_listing_is_complete_and_names_each_once()
    {
        var names = Enumerable.Range(0, 3_000).Select(static i => $"job {i} with a name of usual length").ToArray();
        await using var mount = new MountFixture(root =>
        {
            foreach (var name in names)
                root.Add(new StubCollection(name));
        });
        for (var round = 0; round < 2; round++)
        {
            Assert.Equal(
                names.Order(StringComparer.Ordinal),
                Directory.GetDirectories(mount.Place).Select(Path.GetFileName).Order(StringComparer.Ordinal));
        }
    }

    [Fact]
    public async Task A_large_folder_is_read_once_until_it_changes()
    {
        var folder = new StubCollection("jobs") { Id = 7 };
        await using var mount = new MountFixture(root => root.Add(folder));
        for (var i = 0; i <= FolderListings.LeastItems; i++)
            folder.Add(new StubFile($"film {i}", new StubContent(i + 1)));
        for (var round = 0; round < 3; round++)
            Assert.Equal(FolderListings.LeastItems + 1, List().Length);
        Assert.Equal(1, folder.Listed);

        // By a program of the mount, and elsewhere.
        File.Delete(mount.At("jobs", "film 3"));
        Assert.DoesNotContain("film 3", List());
        File.Move(mount.At("jobs", "film 4"), mount.At("jobs", "renamed"));
        Assert.Contains("renamed", List());
        Assert.Equal(5, new FileInfo(mount.At("jobs", "renamed")).Length);
        folder.Add(new StubFile("new", new StubContent(1)));
        await folder.DeleteAsync("film 5", CancellationToken.None);
        mount.Tree.Report(7);

        // The kernel is told of names last.
        await Until.TrueAsync(() => !File.Exists(mount.At("jobs", "film 5")));
        Assert.Contains("new", List());
        var listed = folder.Listed;
        mount.Tree.Report(8);
        Assert.Equal(FolderListings.LeastItems, List().Length);
        Assert.Equal(listed, folder.Listed);

        string[] List() => [.. Directory.GetFiles(mount.At("jobs")).Select(static path => Path.GetFileName(path))];
    }

    [Fact]
    public async Task A_folder_whose_changes_nothing_reports_is_read_each_time()
    {
        var folder = new StubCollection("view");
        await using var mount = new MountFixture(root => root.Add(folder));
        for (var i = 0; i < FolderListings.LeastItems; i++)
            folder.Add(new StubFile($"film {i}", new StubContent(i + 1)));
        Assert.Equal(FolderListings.LeastItems, Directory.GetFiles(mount.At("view")).Length);
        folder.Add(new StubFile("new", new StubContent(1)));
        Assert.Equal(FolderListings.LeastItems + 1, Directory.GetFiles(mount.At("view")).Length);
    }

    [Fact]
    public async Task What_changes_while_a_folder_is_listed_is_not_kept_as_it_was()
    {
        var folder = new StubCollection("jobs") { Id = 7 };
        await using var mount = new MountFixture(root => root.Add(folder));
        for (var i = 1_000; i < 4_000; i++)
            folder.Add(new StubFile($"film {i}", new StubContent(10)) { ETag = "\"1\"" });
        using var listing = new DirectoryInfo(mount.At("jobs")).EnumerateFiles().GetEnumerator();
        Assert.True(listing.MoveNext());

        // The kernel knows the first name. The others come after the change: of a file that has other bytes, and of one that is gone.
        await folder.DeleteAsync("film 1000", CancellationToken.None);
        folder.Add(new StubFile("film 3998", new StubContent(30)) { ETag = "\"2\"" });
        await folder.DeleteAsync("film 3999", CancellationToken.None);
        mount.Tree.Report(7);
        await Until.TrueAsync(() => !File.Exists(mount.At("jobs", "film 1000")));

        // As ls -l does: whoever looks at each is given attributes with the names.
        while (listing.MoveNext())
            _ = listing.Current.Exists;

        Assert.Equal(30, new FileInfo(mount.At("jobs", "film 3998")).Length);
        Assert.False(File.Exists(mount.At("jobs", "film 3999")));
    }

    [Fact]
    public async Task A_whole_file_and_any_part_of_it_have_the_right_bytes()
    {
        await using var mount = new MountFixture(static root => root.Add(new StubFile("film", new StubContent(Length))));
        await using (var whole = File.OpenRead(mount.At("film")))
            Assert.Equal(SHA256.HashData(StubBytes.Slice(0, Length)), await SHA256.HashDataAsync(whole));
        using var file = File.OpenHandle(mount.At("film"));
        var random = new Random(7);
        var bytes = new byte[1 << 20];
        for (var round = 0; round < 40; round++)
        {
            var start = random.NextInt64(Length);
            var read = RandomAccess.Read(file, bytes.AsSpan(0, random.Next(1, bytes.Length)), start);
            Assert.Equal(StubBytes.Slice(start, start + read), bytes[..read]);
        }

        Assert.Equal(0, RandomAccess.Read(file, bytes, Length));
        Assert.Equal(0, RandomAccess.Read(file, bytes, Length + 100_000));
    }

    [Fact]
    public async Task A_long_sequence_is_read_by_one_reader_to_the_end_of_the_file()
    {
        var content = new StubContent(Length);
        await using var mount = new MountFixture(root => root.Add(new StubFile("film", content)));
        await File.ReadAllBytesAsync(mount.At("film"));
        var last = content.Readers.Last();
        Assert.InRange(last.Start, 1, MountedFile.SequenceLength + (1 << 20));
        Assert.Equal((Length, ReadIntent.Playback), (last.End, last.Intent));

        // The first read is for its own range alone: a program that looks at a header makes nothing else be fetched.
        Assert.True(content.Readers.TryPeek(out var first));
        Assert.InRange(first.End, 1, FuseDevice.MaxRead);
        Assert.All(content.Readers.SkipLast(1), static reader =>
            Assert.InRange(reader.End - reader.Start, 1, FuseDevice.MaxRead + MountedFile.AheadLength));
        await Until.TrueAsync(() => content.Open == 0);
        Assert.Equal(0, content.Leased);
    }

    [Fact]
    public async Task A_jump_waits_for_no_more_than_its_own_bytes_and_one_window()
    {
        const int Start = 3_000_001;
        var bytes = new byte[1 << 20];
        var content = new StubContent(Length) { HangAt = Start + bytes.Length + FuseDevice.ReadAhead + Environment.SystemPageSize };
        await using var mount = new MountFixture(root => root.Add(new StubFile("film", content)));
        using var file = File.OpenHandle(mount.At("film"));
        var read = Task.Run(() => RandomAccess.Read(file, bytes, Start));
        Assert.Equal(bytes.Length, await read.WaitAsync(TimeSpan.FromMinutes(1)));
        Assert.Equal(StubBytes.Slice(Start, Start + bytes.Length), bytes);
    }

    [Fact]
    public async Task Bytes_that_cannot_be_read_are_an_error_and_never_a_shorter_file()
    {
        var content = new StubContent(Length) { FaultAt = 4_000_000, Fault = ContentFault.Missing };
        await using var mount = new MountFixture(root => root.Add(new StubFile("film", content)));
        Assert.Throws<IOException>(() => File.ReadAllBytes(mount.At("film")));
        using var file = File.OpenHandle(mount.At("film"));
        var bytes = new byte[3_000_000];
        Assert.Equal(bytes.Length, RandomAccess.Read(file, bytes, 0));
        Assert.Equal(StubBytes.Slice(0, bytes.Length), bytes);

        // The bytes are back, as after a repair: the kernel has kept nothing of the failure.
        content.FaultAt = long.MaxValue;
        Assert.Equal(StubBytes.Slice(0, Length), await File.ReadAllBytesAsync(mount.At("film")));
    }

    [Fact]
    public async Task A_file_that_cannot_be_opened_is_an_error_when_it_is_read()
    {
        await using var mount = new MountFixture(
            static root => root.Add(new StubFile("film", new StubContent(Length)) { OpenFault = ContentFault.Unavailable }));
        Assert.Throws<IOException>(() => File.ReadAllBytes(mount.At("film")));
    }

    [Fact]
    public async Task A_read_that_gets_no_bytes_fails_after_the_same_patience_as_over_WebDAV()
    {
        var content = new StubContent(Length) { HangAt = 0 };
        await using var mount = new MountFixture(root => root.Add(new StubFile("film", content)));
        var reading = Task.Run(() => File.ReadAllBytes(mount.At("film")));
        while (!reading.IsCompleted)
        {
            // The kernel asks for a failed page once more, by itself.
            await Task.WhenAny(reading, content.Hanging.WaitAsync());
            await Until.TrueAsync(() => reading.IsCompleted || mount.Clock.NextDue is not null);
            mount.Clock.Advance(MountFixture.Patience);
        }

        await Assert.ThrowsAsync<IOException>(() => reading);
    }

    [Fact]
    public async Task A_program_that_is_killed_while_it_waits_for_bytes_ends_at_once()
    {
        var content = new StubContent(Length) { HangAt = 0 };
        await using var mount = new MountFixture(root => root.Add(new StubFile("film", content)));
        using var program = Process.Start(
            new ProcessStartInfo("cat", [mount.At("film")]) { UseShellExecute = false, RedirectStandardOutput = true })!;
        await content.Hanging.WaitAsync();
        program.Kill();
        await program.WaitForExitAsync();

        // Its read was the kernel's read-ahead, which nobody can interrupt: that ends with its patience.
        Assert.Equal(1, content.Open);
        while (content.Open > 0)
        {
            await Until.TrueAsync(() => content.Open == 0 || mount.Clock.NextDue is not null);
            mount.Clock.Advance(MountFixture.Patience);
        }
    }

    [Fact]
    public async Task While_the_store_cannot_answer_requests_fail_and_the_log_says_why_once_a_minute()
    {
        await using var mount = new MountFixture(
            static root => root.Add(new StubCollection("jobs")).Add(new StubFile("film", new StubContent(10))));
        mount.Tree.Fault = new IOException("The database is away.");
        for (var round = 0; round < 3; round++)
            Assert.Throws<IOException>(() => Directory.GetFiles(mount.At("jobs")));
        Assert.Equal("Mount: requests fail. The database is away.", Assert.Single(mount.Log.Entries).Text);
        mount.Clock.Advance(TimeSpan.FromMinutes(1));
        Assert.Throws<IOException>(() => Directory.GetFiles(mount.At("jobs")));
        Assert.Equal(2, mount.Log.Entries.Count);
        mount.Tree.Fault = null;
        Assert.Equal([mount.At("jobs", "film")], Directory.GetFiles(mount.At("jobs")));
    }

    [Fact]
    public async Task Links_lead_to_their_targets()
    {
        await using var mount = new MountFixture(static root =>
        {
            root.Add(new StubFile("film", new StubContent(1_000)));
            root.Add(new StubCollection("links")).Add(new StubLink("film.mkv", "../film"));
        });
        Assert.Equal("../film", new FileInfo(mount.At("links", "film.mkv")).LinkTarget);
        Assert.Equal(StubBytes.Slice(0, 1_000), await File.ReadAllBytesAsync(mount.At("links", "film.mkv")));
        Assert.Equal(["film.mkv"], Directory.GetFileSystemEntries(mount.At("links")).Select(Path.GetFileName));
        Assert.False(File.Exists(mount.At("links", "film.mkv.rclonelink")));
    }

    [Fact]
    public async Task What_the_store_allows_can_be_deleted_and_renamed()
    {
        await using var mount = new MountFixture(static root =>
        {
            var job = root.Add(new StubCollection("job"));
            job.Add(new StubFile("one", new StubContent(10)));
            job.Add(new StubFile("two", new StubContent(20)));
            root.Add(new StubCollection("other"));
        });
        File.Delete(mount.At("job", "one"));
        Assert.False(File.Exists(mount.At("job", "one")));
        Assert.Throws<IOException>(() => Directory.Delete(mount.At("job")));
        File.Move(mount.At("job", "two"), mount.At("other", "three"));
        Assert.Equal(StubBytes.Slice(0, 20), await File.ReadAllBytesAsync(mount.At("other", "three")));
        Directory.Delete(mount.At("job"));
        Directory.Move(mount.At("other"), mount.At("renamed"));
        Assert.Equal([mount.At("renamed")], Directory.GetFileSystemEntries(mount.Place));
        Assert.Equal(20, new FileInfo(mount.At("renamed", "three")).Length);
    }

    [Fact]
    public async Task What_the_store_refuses_stays()
    {
        await using var mount = new MountFixture(
            static root => root.Add(new StubCollection("job") { ReadOnly = true }).Add(new StubFile("film", new StubContent(10))));
        Assert.Throws<UnauthorizedAccessException>(() => File.Delete(mount.At("job", "film")));
        Assert.Throws<UnauthorizedAccessException>(() => File.Move(mount.At("job", "film"), mount.At("job", "new"), overwrite: true));
        Assert.Throws<IOException>(() => File.WriteAllText(mount.At("job", "new"), "text"));
        Assert.Throws<IOException>(() => File.OpenWrite(mount.At("job", "film")));
        Assert.Throws<IOException>(() => Directory.CreateDirectory(mount.At("new")));
        Assert.Equal(StubBytes.Slice(0, 10), await File.ReadAllBytesAsync(mount.At("job", "film")));
    }

    [Fact]
    public async Task What_changes_elsewhere_is_seen()
    {
        await using var mount = new MountFixture(static root =>
        {
            root.Add(new StubFile("gone", new StubContent(10)));
            root.Add(new StubFile("film", new StubContent(10)) { ETag = "\"1\"" });
        });
        Assert.Equal(10, (await File.ReadAllBytesAsync(mount.At("film"))).Length);
        Assert.Equal(2, Directory.GetFiles(mount.Place).Length);

        await mount.Tree.Root.DeleteAsync("gone", CancellationToken.None);
        mount.Tree.Root.Add(new StubFile("film", new StubContent(30) { Bytes = new byte[30] }) { ETag = "\"2\"" });
        mount.Tree.Root.Add(new StubFile("new", new StubContent(20)));
        mount.Tree.Report();
        await Until.TrueAsync(() => !File.Exists(mount.At("gone")));
        await Until.TrueAsync(() => Directory.GetFiles(mount.Place).Select(Path.GetFileName).Order(StringComparer.Ordinal)
            .SequenceEqual(["film", "new"]));
        await Until.TrueAsync(() => new FileInfo(mount.At("film")).Length == 30);
        Assert.Equal(new byte[30], await File.ReadAllBytesAsync(mount.At("film")));
    }

    [Fact]
    public async Task New_bytes_of_the_same_length_are_read()
    {
        await using var mount = new MountFixture(static root => root.Add(new StubFile("film", new StubContent(5_000)) { ETag = "\"1\"" }));
        Assert.Equal(StubBytes.Slice(0, 5_000), await File.ReadAllBytesAsync(mount.At("film")));
        mount.Tree.Root.Add(new StubFile("film", new StubContent(5_000) { Bytes = new byte[5_000] }) { ETag = "\"2\"" });
        Assert.Equal(new byte[5_000], await File.ReadAllBytesAsync(mount.At("film")));
    }

    [Fact]
    public async Task Unmounted_while_a_file_is_open_the_file_fails_and_the_folder_is_empty()
    {
        await using var mount = new MountFixture(static root => root.Add(new StubFile("film", new StubContent(Length))));
        using var file = File.OpenHandle(mount.At("film"));
        var bytes = new byte[100];
        Assert.Equal(100, RandomAccess.Read(file, bytes, 0));
        await mount.Server.DisposeAsync();
        Assert.Throws<IOException>(() => RandomAccess.Read(file, bytes, 8_000_000));
        Assert.Empty(Directory.GetFileSystemEntries(mount.Place));
    }

    [Fact]
    public async Task The_dead_mount_of_a_killed_process_is_taken_over()
    {
        await using var mount = new MountFixture(static root => root.Add(new StubFile("film", new StubContent(10))));
        await mount.KillAsync();
        Assert.Throws<IOException>(() => Directory.GetFiles(mount.Place));
        mount.Mount();
        Assert.Equal(StubBytes.Slice(0, 10), await File.ReadAllBytesAsync(mount.At("film")));
    }

    [Fact]
    public async Task A_folder_that_cannot_be_mounted_is_refused_with_the_reason()
    {
        await using var mount = new MountFixture(static root => root.Add(new StubFile("film", new StubContent(10))));

        Assert.Equal(
            $"{mount.Place} is the mount of another server that runs: choose another folder, or stop that server.",
            Assert.Throws<MountException>(mount.Mount).Message);
        await mount.Server.DisposeAsync();
        var file = mount.At("a file that a mount would hide");
        await File.WriteAllTextAsync(file, "text");
        Assert.Equal($"{mount.Place} is not empty: a mount would hide what is in it.", Assert.Throws<MountException>(mount.Mount).Message);
        File.Delete(file);
        Directory.Delete(mount.Place);
        Assert.Equal($"{mount.Place} does not exist: create it, as an empty folder.", Assert.Throws<MountException>(mount.Mount).Message);
    }
}

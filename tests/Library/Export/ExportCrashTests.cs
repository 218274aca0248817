using NzbDav.Fakes;
using NzbDav.Library.Export;

namespace NzbDav.Library.Tests.Export;

/// <summary>
/// An export aborted before each of its steps: every file is whole, old or missing, and the next run puts everything right.
/// </summary>
public sealed class ExportCrashTests
{
    [Fact]
    public async Task A_crash_before_any_step_leaves_whole_files()
    {
        for (var last = 0; ; last++)
        {
            await using var library = await LibraryFixture.OpenAsync();
            await library.PublishAsync("movies", "Old", "Old.mkv");
            await library.PublishAsync("movies", "Gone", "Gone.mkv");
            using var folder = new ExportFolderFixture(library);
            await folder.RunAsync();
            var before = folder.Read("movies/Old/Old.strm");
            await library.DeleteAsync("/content/movies/Gone");
            await library.PublishAsync("movies", "New", "a.mkv", "sub/b.mkv");
            await library.PublishAsync("tv", "Show", "c.mkv");
            folder.Options = folder.Options with { AddressRoot = "http://another:8080" };
            var left = last;
            var ended = false;
            folder.BeforeStep = step =>
            {
                if (left-- == 0)
                {
                    ended = true;
                    throw new IOException($"ended before {step}");
                }
            };
            try
            {
                await folder.RunAsync();
            }
            catch (IOException e) when (e.Message.StartsWith("ended", StringComparison.Ordinal))
            {
            }

            foreach (var path in folder.List().Where(static path => path.EndsWith(".strm", StringComparison.Ordinal)))
                Assert.True(
                    folder.Read(path) is var text
                    && (text == before
                    || text.StartsWith(
                    path.Contains("Gone", StringComparison.Ordinal) ? "http://nas:8080/view/" : "http://another:8080/view/",
                    StringComparison.Ordinal)), $"{path} after {last} steps: {text}");
            folder.BeforeStep = null;
            var report = await folder.RunAsync();
            Assert.True(report.Blocked == 0, $"after {last} steps: {string.Join(", ", report.BlockedBy)}");
            Assert.Equal(["movies", "movies/New", "movies/New/a.strm", "movies/New/sub", "movies/New/sub/b.strm", "movies/Old",
                "movies/Old/Old.strm", "tv", "tv/Show", "tv/Show/c.strm"], folder.List());
            Assert.True((await folder.RunAsync()).ChangedNothing);
            Assert.False(Directory.Exists(folder.Of(ExportManifest.FolderName + "/new")));
            if (!ended)
            {
                Assert.InRange(last, 9, 20);
                return;
            }
        }
    }

    [Fact]
    public async Task A_truncated_manifest_line_is_ignored()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film", "Film.mkv");
        using var folder = new ExportFolderFixture(library);
        await folder.RunAsync();
        var manifest = folder.Of(ExportManifest.FolderName + "/manifest");
        var whole = await File.ReadAllBytesAsync(manifest);
        for (var length = 0; length <= whole.Length; length++)
        {
            await File.WriteAllBytesAsync(manifest, whole[..length]);
            var report = await folder.RunAsync();
            Assert.Equal((0, 1, 0), (report.Created, report.Unchanged, report.Blocked));
        }
    }

    [Fact]
    public void A_manifest_on_a_full_disk_fails_once_and_closes()
    {
        using var disk = SmallDisk.TryMount(64 << 10);
        Assert.SkipWhen(disk is null, SmallDisk.Refused);
        using (var manifest = ExportManifest.Open(disk.Path))
        {
            disk.Fill();

            // After the first line it does not fit into the file's one page of 4,096 bytes.
            manifest.ClaimFolder(new string('a', 4_085), wanted: 1);
            Assert.Equal(28, Assert.Throws<IOException>(manifest.Save).HResult);
        }

        // The part that reached the disk can be read again.
        ExportManifest.Open(disk.Path).Dispose();
    }

    [Fact]
    public async Task A_foreign_file_created_at_the_last_moment_is_kept()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PublishAsync("movies", "Film", "Film.mkv");
        using var folder = new ExportFolderFixture(library);
        folder.BeforeStep = step =>
        {
            if (step == "sync")
            {
                Directory.CreateDirectory(folder.Of("movies/Film"));
                File.WriteAllText(folder.Of("movies/Film/Film.strm"), "foreign");
            }
        };
        var report = await folder.RunAsync();
        Assert.Equal((0, 1), (report.Created, report.Blocked));
        Assert.Equal("foreign", folder.Read("movies/Film/Film.strm"));
        folder.BeforeStep = null;
        Assert.Equal(["movies/Film/Film.strm is there and is not ours"], (await folder.RunAsync()).BlockedBy);
    }
}

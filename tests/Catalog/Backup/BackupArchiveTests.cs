using System.Formats.Tar;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tests.Backup;

/// <summary>A complete backup as one .tar.zst, and its restore.</summary>
public class BackupArchiveTests
{
    /// <summary>
    /// The process dies before each entry of the file, before the decision and before each rename; then the folder is opened as usual.
    /// </summary>
    [Fact]
    public async Task A_crash_at_any_step_leaves_the_old_state_or_the_new_one()
    {
        await using var source = await SourceAsync();
        var file = Archive(source);
        var (old, restored) = (0, 0);
        for (var step = 1; ; step++)
        {
            using var folder = new ConfigFolder();
            await using (var before = await CatalogFixture.OpenAsync(folder.Options.ConfigFolder, source.Clock, ownsFolder: false))
                await before.PublishAsync("Old", "old file");
            if (!DiesAt(step, file, folder.Options, source.Clock))
                break;
            await using (var after = await CatalogFixture.OpenAsync(folder.Options.ConfigFolder, source.Clock, ownsFolder: false))
            {
                var movies = await after.ResolveAsync("content/movies");
                var name = Assert.Single(await after.NamesAsync(movies!.Id));
                var item = await after.ResolveAsync($"content/movies/{name}/{name.ToLowerInvariant()} file");
                Assert.Equal(item!.Size, (await after.Maps.ReadAsync(item.ExtentMap!.Value, CancellationToken.None)).Map.Length);
                _ = name == "Old" ? old++ : restored++;
            }

            CatalogRestore.Restore(file, folder.Options, source.Clock, CancellationToken.None);
            Assert.Empty(Directory.GetDirectories(folder.Options.ConfigFolder, "restore-*"));
        }

        // Steps: manifest, two lists, database, key, .nzb, map and patch, then the step behind them and the decision; then two renames each
        // for database and blobs, one each for patches and keys, and the end.
        Assert.Equal((10, 7), (old, restored));
    }

    [Fact]
    public async Task Everything_is_restored_elsewhere_byte_by_byte()
    {
        await using var source = await SourceAsync();
        var file = Archive(source);
        using var folder = new ConfigFolder();
        Directory.CreateDirectory(folder.Options.ConfigFolder);
        var result = CatalogRestore.Restore(file, folder.Options, source.Clock, CancellationToken.None);
        Assert.Equal((0, 1), (result.MissingBlobs, result.Backup.Patches));
        foreach (var part in (string[])["blobs", "patches", "keys"])
            Assert.Equal(Sums(Path.Combine(source.Options.ConfigFolder, part)), Sums(Path.Combine(folder.Options.ConfigFolder, part)));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite,
                File.GetUnixFileMode(Path.Combine(folder.Options.ConfigFolder, "keys", "api")));
    }

    [Fact]
    public async Task A_truncated_or_damaged_archive_changes_nothing()
    {
        await using var source = await SourceAsync();
        var whole = await File.ReadAllBytesAsync(Archive(source));
        using var folder = new ConfigFolder();
        await using (var before = await CatalogFixture.OpenAsync(folder.Options.ConfigFolder, source.Clock, ownsFolder: false))
            await before.PublishAsync("Old", "old file");
        var file = Path.Combine(folder.Options.ConfigFolder, "bad.tar.zst");
        var places = Enumerable.Range(0, 64).Select(i => (int)((long)whole.Length * i / 64)).Append(whole.Length - 1);
        foreach (var place in places)
        {
            await File.WriteAllBytesAsync(file, whole[..place]);
            Assert.Throws<CatalogException>(() => CatalogRestore.Restore(file, folder.Options, source.Clock, CancellationToken.None));
            var damaged = (byte[])whole.Clone();
            damaged[place] ^= 0x10;
            if (IsHarmless(damaged))
                continue;
            await File.WriteAllBytesAsync(file, damaged);
            Assert.Throws<CatalogException>(() => CatalogRestore.Restore(file, folder.Options, source.Clock, CancellationToken.None));
        }

        Assert.Empty(Directory.GetDirectories(folder.Options.ConfigFolder, "*restore-*"));
        await using var after = await CatalogFixture.OpenAsync(folder.Options.ConfigFolder, source.Clock, ownsFolder: false);
        Assert.NotNull(await after.ResolveAsync("content/movies/Old/old file"));

        // The distance of a match among zeros can be another one, and the content stays what it was.
        bool IsHarmless(byte[] damaged)
        {
            try
            {
                return Unpacked(damaged).AsSpan().SequenceEqual(Unpacked(whole));
            }
            catch (Exception e) when (e is InvalidDataException or EndOfStreamException)
            {
                return false;
            }
        }
    }

    [Theory]
    [InlineData("keys/../../outside", TarEntryType.RegularFile)]
    [InlineData("blobs/../nzbdav.sqlite", TarEntryType.RegularFile)]
    [InlineData("/etc/passwd", TarEntryType.RegularFile)]
    [InlineData("keys/link", TarEntryType.SymbolicLink)]
    [InlineData("readme.txt", TarEntryType.RegularFile)]
    public async Task An_entry_name_that_no_backup_contains_is_refused(string name, TarEntryType type)
    {
        await using var source = await SourceAsync();
        using var folder = new ConfigFolder();
        Directory.CreateDirectory(folder.Options.ConfigFolder);
        var file = Path.Combine(folder.Options.ConfigFolder, "odd.tar.zst");
        await using (var target = File.Create(file))
        await using (var compressed = new ZstandardWriteStream(target, 1, length: null))
        {
            await using (var tar = new TarWriter(compressed, leaveOpen: true))
            {
                var entry = new UstarTarEntry(type, name);
                if (type == TarEntryType.RegularFile)
                    entry.DataStream = new MemoryStream(Encoding.UTF8.GetBytes("odd"));
                else
                    entry.LinkName = "/etc/passwd";
                await tar.WriteEntryAsync(entry);
            }

            compressed.Complete();
        }

        var error = Assert.Throws<CatalogException>(
            () => CatalogRestore.Restore(file, folder.Options, source.Clock, CancellationToken.None));
        Assert.Equal(CatalogFault.Corrupt, error.Fault);
        Assert.Contains(name.StartsWith("keys/..", StringComparison.Ordinal) ? "holds the name" : "which does not belong in a backup",
            error.Message, StringComparison.Ordinal);
        Assert.False(File.Exists(Path.Combine(folder.Options.ConfigFolder, "..", "outside")));
    }

    [Fact]
    public async Task A_missing_target_folder_or_a_cancellation_leaves_no_archive()
    {
        await using var source = await SourceAsync();
        var backup = new CatalogBackup(source.Options, source.Clock);
        var made = backup.Create(BackupReason.Request, CancellationToken.None);
        var target = Path.Combine(source.Options.ConfigFolder, "none", "x.tar.zst");
        Assert.Throws<CatalogException>(() => backup.WriteArchive(made.Name, target, CancellationToken.None));
        using var ended = new CancellationTokenSource();
        await ended.CancelAsync();
        Assert.Throws<OperationCanceledException>(
            () => backup.WriteArchive(made.Name, Path.Combine(source.Options.ConfigFolder, "x.tar.zst"), ended.Token));
        Assert.Empty(Directory.GetFiles(source.Options.ConfigFolder, "x.tar.zst*"));
    }

    /// <summary>A catalog with a key, a blob of each kind and a patch.</summary>
    private static async Task<CatalogFixture> SourceAsync()
    {
        var source = await CatalogFixture.OpenAsync();
        source.Segments = CatalogFixture.SegmentsOfBlob;
        await source.PublishAsync("New", "new file");
        Write(Path.Combine(source.Options.ConfigFolder, "keys", "api"), "key");
        Write(Path.Combine(source.Options.PatchFolder, "7", "0123abcd"), "made again");
        return source;
    }

    private static string Archive(CatalogFixture source)
    {
        var backup = new CatalogBackup(source.Options, source.Clock);
        var made = backup.Create(BackupReason.Request, CancellationToken.None);
        var file = Path.Combine(source.Options.ConfigFolder, "all.tar.zst");
        backup.WriteArchive(made.Name, file, CancellationToken.None);
        return file;
    }

    private static void Write(string path, string text)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    private static byte[] Unpacked(byte[] packed)
    {
        using var source = new MemoryStream(packed);
        using var stream = new ZstandardReadStream(source);
        using var plain = new MemoryStream();
        stream.CopyTo(plain);
        return plain.ToArray();
    }

    private static string[] Sums(string folder) =>
    [
        .. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories)
            .Select(path => $"{Path.GetRelativePath(folder, path)} {Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(path)))}")
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>An exception stands for the crash.</summary>
    private static bool DiesAt(int step, string file, CatalogOptions options, TimeProvider time)
    {
        var seen = 0;
        try
        {
            CatalogRestore.Restore(
                file,
                options,
                time,
                _ =>
                {
                    if (++seen == step)
                        throw new InvalidOperationException("The process died.");
                },
                CancellationToken.None);
            return false;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }
}

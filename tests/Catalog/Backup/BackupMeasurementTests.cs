using System.Diagnostics;
using System.Globalization;
using System.IO.Compression;
using System.Security.Cryptography;
using NzbDav.Catalog.Backup;
using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;

namespace NzbDav.Catalog.Tests.Backup;

/// <summary>
/// A complete backup of many titles, its restore, and <c>tar --zstd -x</c> of the same file in one run. Prints its figures; asserts only
/// what does not depend on the machine's speed. <c>NZBDAV_MEASURE_BACKUP</c> sets the number of titles; the default only shows that the
/// measurement works. <c>NZBDAV_MEASURE_FOLDER</c> sets the folder.
/// </summary>
public class BackupMeasurementTests(ITestOutputHelper output)
{
    private const int Few = 100;
    private const int Rounds = 3;

    /// <summary>Bytes of the layout of a small film as stored.</summary>
    private const int BlobBytes = 12_000;

    private static readonly int Titles = int.TryParse(
        Setting("NZBDAV_MEASURE_BACKUP"), NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;

    [Fact(Explicit = true)]
    public async Task A_restore_compared_with_tar()
    {
        await using var source = await CatalogFixture.OpenAsync();
        await source.PublishAsync("New", "new file");
        var root = Path.Combine(Setting("NZBDAV_MEASURE_FOLDER") ?? Path.GetTempPath(), "nzbdav-restore-" + Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(root);
        try
        {
            var backup = new CatalogBackup(source.Options, source.Clock);
            var zip = Path.Combine(backup.Folder, backup.Create(BackupReason.Request, CancellationToken.None).Name);
            var file = Path.Combine(root, "all.tar.zst");
            var watch = Stopwatch.StartNew();
            Write(zip, Blobs(root), file);
            output.WriteLine(
                $"{Titles} blobs of {BlobBytes} bytes: written in {watch.Elapsed.TotalSeconds:F2} s as {new FileInfo(file).Length} bytes");
            var (restores, tars) = (new List<double>(), new List<double>());
            for (var round = 0; round < Rounds; round++)
            {
                var folder = Directory.CreateDirectory(Path.Combine(root, $"restored{round}")).FullName;
                Sync();
                watch.Restart();
                CatalogRestore.Restore(file, new CatalogOptions { ConfigFolder = folder, BackupFolder = Path.Combine(folder, "backups") },
                    source.Clock, CancellationToken.None);
                restores.Add(watch.Elapsed.TotalSeconds);
                Assert.InRange(
                    Directory.EnumerateFiles(Path.Combine(folder, "blobs"), "*", SearchOption.AllDirectories).Count(), Titles, Titles + 3);
                var untarred = Path.Combine(root, $"tar{round}");
                Directory.CreateDirectory(untarred);
                Sync();
                watch.Restart();
                Run("tar", "--zstd", "-xf", file, "-C", untarred);
                tars.Add(watch.Elapsed.TotalSeconds);
                Run("sync", "-f", untarred);
                output.WriteLine(
                    $"restore {restores[^1]:F2} s; tar --zstd -x {tars[^1]:F2} s, with sync {watch.Elapsed.TotalSeconds:F2} s");
            }

            output.WriteLine($"restore runs at {tars.Order().ElementAt(1) / restores.Order().ElementAt(1):F2} x the speed of tar");
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }

    private static string? Setting(string name) => Environment.GetEnvironmentVariables()[name] as string;

    private static void Write(string zip, IEnumerable<(string Name, string Path)> blobs, string file)
    {
        using var archive = ZipFile.OpenRead(zip);
        using var target = File.Create(file);
        BackupArchive.Write(archive, blobs, target, CancellationToken.None);
    }

    /// <summary>Blobs of incompressible bytes, like real ones.</summary>
    private static List<(string Name, string Path)> Blobs(string root)
    {
        var folder = Directory.CreateDirectory(Path.Combine(root, "blobs")).FullName;
        var bytes = new byte[BlobBytes];
        var random = new Random(7);
        var blobs = new List<(string, string)>(Titles);
        for (var i = 0; i < Titles; i++)
        {
            random.NextBytes(bytes);
            var path = Path.Combine(folder, i.ToString(CultureInfo.InvariantCulture));
            File.WriteAllBytes(path, bytes);
            blobs.Add((BackupArchive.NameOf(BlobHash.Of(SHA256.HashData(bytes))), path));
        }

        return blobs;
    }

    private static void Sync() => Run("sync");

    private static void Run(string program, params string[] arguments)
    {
        using var process = Process.Start(program, arguments);
        process.WaitForExit();
        Assert.Equal(0, process.ExitCode);
    }
}

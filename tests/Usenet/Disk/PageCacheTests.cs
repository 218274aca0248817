using System.Diagnostics;
using System.Globalization;
using NzbDav.Fakes;
using NzbDav.Usenet.Disk;

namespace NzbDav.Usenet.Tests.Disk;

/// <summary>Ways past the system's page cache. Figures are printed; <c>NZBDAV_MEASURE_PAGES</c> says how many articles are written and
/// read: the default only shows that the measurement works.</summary>
public sealed class PageCacheTests(ITestOutputHelper output) : IDisposable
{
    private const int Record = 176 * CacheRecord.Block;

    private static readonly int Count = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_PAGES"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : 4;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-pages-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData(PageCacheUse.Bypassed)]
    [InlineData(PageCacheUse.Dropped)]
    [InlineData(PageCacheUse.Kept)]
    internal void Written_bytes_are_read_back_with_every_page_cache_mode(PageCacheUse use)
    {
        var files = new CacheFiles(use);
        var path = Path.Combine(_folder.FullName, "records");
        using var memory = new AlignedMemory();
        var bytes = SeededBytes.Make(3, Record);
        bytes.CopyTo(memory.EnsureSize(Record));
        var pages = CachedPages();
        var write = Time(() =>
        {
            using var file = files.Create(path);
            for (var i = 0; i < Count; i++)
                files.Write(file, memory.EnsureSize(Record), (long)i * Record);
        });
        var read = Time(() =>
        {
            for (var i = 0; i < Count; i++)
            {
                using var file = files.Open(path, FileAccess.Read);
                Assert.Equal(Record, files.Read(file, memory.EnsureSize(Record), (long)i * Record));
            }
        });
        Assert.True(memory.EnsureSize(Record).SequenceEqual(bytes));
        output.WriteLine(
            $"{use} (in force: {files.Use}): written {write}, read {read}; {CachedPages() - pages} MB more in the page cache, of " +
            $"{(long)Count * Record / 1_000_000}");
    }

    private static string Time(Action action)
    {
        var (began, cpu) = (Stopwatch.GetTimestamp(), Process.GetCurrentProcess().TotalProcessorTime);
        action();
        var gigabytes = (double)Count * Record / 1e9;
        return $"{gigabytes * 1000 / Stopwatch.GetElapsedTime(began).TotalSeconds:0} MB/s and " +
            $"{(Process.GetCurrentProcess().TotalProcessorTime - cpu).TotalSeconds / gigabytes:0.00} s/GB of CPU";
    }

    /// <summary>MB of files in memory.</summary>
    private static long CachedPages() => OperatingSystem.IsLinux()
        ? File.ReadLines("/proc/meminfo").Where(static line => line.StartsWith("Cached:", StringComparison.Ordinal)).Select(static line =>
            long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture) / 1000).First()
        : 0;
}

using System.Diagnostics;
using System.Globalization;
using System.Text;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Tree;
using NzbDav.Library.Export;
using NzbDav.Library.Links;

namespace NzbDav.Library.Tests.Export;

/// <summary>
/// What a library of small files costs: the obvious way, ours, and tar, in one run. Prints its figures; asserts only what does not depend
/// on the machine's speed. <c>NZBDAV_MEASURE_EXPORT</c> sets the number of titles; the default only shows that the measurement works.
/// <c>NZBDAV_MEASURE_FOLDER</c> sets where they are written.
/// </summary>
public sealed class ExportMeasurementTests(ITestOutputHelper output) : IDisposable
{
    private const int Few = 200;
    private const int Rounds = 3;

    private static readonly int Titles = int.TryParse(
        Setting("NZBDAV_MEASURE_EXPORT"), NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;

    private readonly string _folder = Path.Combine(
        Setting("NZBDAV_MEASURE_FOLDER") ?? Path.GetTempPath(), "nzbdav-export-" + Guid.NewGuid().ToString("N"));

    public void Dispose()
    {
        if (Directory.Exists(_folder))
            Directory.Delete(_folder, recursive: true);
    }

    [Fact(Explicit = true)]
    public async Task Export_compared_with_one_by_one_and_tar()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await BigLibrary.FillAsync(library, Titles);
        Directory.CreateDirectory(_folder);

        // Nothing is deleted before the end: some file systems go through recently deleted entries whenever they create one.
        var naive = new List<double>();
        var ours = new List<double>();
        var tar = new List<double>();
        var again = new List<double>();
        for (var round = 0; round < Rounds; round++)
        {
            naive.Add(await NaiveAsync(library, round));
            ours.Add(await ExportAsync(library, $"ours{round}", Titles + 1));
            again.Add(await ExportAsync(library, $"ours{round}", 0));
            tar.Add(Tar(round));
        }

        output.WriteLine($"rounds: one by one {Shown(naive)}, ours {Shown(ours)}, tar {Shown(tar)}, again {Shown(again)}");
        output.WriteLine(
            $"{Titles} titles: one by one {Median(naive):F2} s, ours {Median(ours):F2} s, tar -x {Median(tar):F2} s, ours with nothing " +
            $"to do {Median(again):F2} s");
        output.WriteLine($"ours is {Median(naive) / Median(ours):F1} x one by one and {Median(tar) / Median(ours):F2} x tar");
    }

    [Fact(Explicit = true)]
    public async Task Export_time_by_number_of_workers()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await BigLibrary.FillAsync(library, Titles);
        foreach (var workers in (int[])[1, 2, 4, 8, 16])
        {
            var root = Path.Combine(_folder, $"{workers}");
            Directory.CreateDirectory(root);
            var plan = await PlanAsync(library);
            Sync();
            var steps = new List<(string Step, double Seconds)>();
            var watch = Stopwatch.StartNew();
            using var disk = new LinuxDisk(root);
            using var manifest = ExportManifest.Open(root);
            var exporter = new Exporter(disk, manifest, new ExportTexts(Options(root), library.Views))
            { Workers = workers, BeforeStep = step => steps.Add((step, watch.Elapsed.TotalSeconds)) };
            Assert.Equal(Titles + 1, exporter.Run(plan, verify: true, CancellationToken.None).Created);
            var times = steps.Append(("", watch.Elapsed.TotalSeconds)).ToList();
            output.WriteLine(
                $"{workers} workers: {watch.Elapsed.TotalSeconds:F2} s; " +
                $"{string.Join(", ", steps.Select((step, at) => $"{step.Step} {times[at + 1].Item2 - step.Seconds:F2}"))}");
        }
    }

    [Fact(Explicit = true)]
    public void A_hard_link_compared_with_a_separate_file()
    {
        Directory.CreateDirectory(_folder);
        using var disk = new LinuxDisk(_folder);
        var text = new byte[150];
        disk.WriteFile("first", text);
        var watch = Stopwatch.StartNew();
        for (var i = 0; i < Titles; i++)
            disk.WriteFile($"f{i}", text);
        var files = watch.Elapsed;
        watch.Restart();
        for (var i = 0; i < Titles; i++)
            Assert.Equal(0, HardLink.Make(Path.Combine(_folder, "first"), Path.Combine(_folder, $"l{i % 60_000}")));
        output.WriteLine($"{Titles} files {files.TotalSeconds:F2} s, {Titles} hard links {watch.Elapsed.TotalSeconds:F2} s");
    }

    private static string? Setting(string name) => Environment.GetEnvironmentVariables()[name] as string;

    private static ExportOptions Options(string folder) => new() { Folder = folder, Addresses = true, AddressRoot = "http://nas:8080" };

    private static async Task<ExportPlan> PlanAsync(LibraryFixture library) =>
        new ExportPlanner(await TreeOutline.ReadAsync(library.Database, CancellationToken.None), library.Unwanted.IsHidden, Options("/"))
            .Make();

    /// <summary>For <c>strace -f -c</c>: runs one of the ways alone.</summary>
    [Theory(Explicit = true)]
    [InlineData("ours")]
    [InlineData("one by one")]
    public async Task Alone(string way)
    {
        await using var library = await LibraryFixture.OpenAsync();
        await BigLibrary.FillAsync(library, Titles);
        Directory.CreateDirectory(_folder);
        var seconds = way == "ours" ? await ExportAsync(library, "ours", Titles + 1) : await NaiveAsync(library, Rounds - 1);
        output.WriteLine($"{way}: {seconds:F2} s");
        Assert.Equal(Titles + 1, Directory.EnumerateFiles(_folder, "*.strm", SearchOption.AllDirectories).Count());
    }

    [Fact(Explicit = true)]
    public async Task Time_before_the_first_system_call()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await BigLibrary.FillAsync(library, Titles);
        for (var round = 0; round < Rounds; round++)
        {
            var watch = Stopwatch.StartNew();
            var outline = await TreeOutline.ReadAsync(library.Database, CancellationToken.None);
            var read = watch.Elapsed.TotalSeconds;
            var plan = new ExportPlanner(outline, library.Unwanted.IsHidden, Options("/")).Make();
            var planned = watch.Elapsed.TotalSeconds - read;
            var texts = new ExportTexts(Options("/"), library.Views);
            watch.Restart();
            var length = plan.Entries.Sum(entry => texts.Of(entry).Length);
            output.WriteLine(
                $"{Titles} titles: the tree {read:F2} s, the plan {planned:F2} s, the texts {watch.Elapsed.TotalSeconds:F2} s for " +
                $"{length} bytes");
            Assert.Equal(Titles + 1, plan.Entries.Count());
        }
    }

    private static string Shown(List<double> values) =>
        string.Join(' ', values.Select(static value => value.ToString("F2", CultureInfo.InvariantCulture)));

    private static double Median(List<double> values) => values.Order().ElementAt(values.Count / 2);

    /// <summary>Flushes pending writes, so that they do not count for the next run.</summary>
    private static void Sync() => Process.Start("sync")!.WaitForExit();

    /// <summary>From the catalog to the last file: lists each collection and writes each of its files.</summary>
    private async Task<double> NaiveAsync(LibraryFixture library, int round)
    {
        var texts = new ExportTexts(Options("/"), library.Views);
        var writer = new OneByOne(Path.Combine(_folder, $"naive{round}"));
        var content = await library.Tree.ResolveAsync([JobStore.ContentCollection], CancellationToken.None);
        Sync();
        var watch = Stopwatch.StartNew();
        var reading = TimeSpan.Zero;
        await WriteAllAsync(content!, "");
        var all = watch.Elapsed;
        if (round == Rounds - 1)
        {
            foreach (var (operation, time) in writer.Times.Prepend(("list a collection, make the text", reading)))
                output.WriteLine($"| {operation} | {time.TotalMicroseconds / Titles:F1} µs | {time / all:P1} |");
            output.WriteLine($"| all | {all.TotalMicroseconds / Titles:F1} µs | 100 % |");
        }

        return all.TotalSeconds;

        async Task WriteAllAsync(CatalogItem parent, string path)
        {
            var begun = watch.Elapsed;
            await foreach (var child in library.Tree.ListAsync(parent.Id, after: null, CancellationToken.None))
            {
                if (child.IsCollection)
                {
                    reading += watch.Elapsed - begun;
                    await WriteAllAsync(child, path + child.Name + "/");
                    begun = watch.Elapsed;
                    continue;
                }

                var text = Encoding.UTF8.GetString(texts.Of(new ExportEntry(child.Id, ExportForm.Address, "", child.Name, "", 0)));
                reading += watch.Elapsed - begun;
                writer.Write(path + Path.ChangeExtension(child.Name, LinkNames.Address), text, child.Modified.UtcDateTime);
                begun = watch.Elapsed;
            }
        }
    }

    /// <summary>As the command does it, from the catalog to the last sync.</summary>
    private async Task<double> ExportAsync(LibraryFixture library, string name, int expected)
    {
        var root = Path.Combine(_folder, name);
        Directory.CreateDirectory(root);
        Sync();
        var (synced, after) = (0.0, 0.0);
        var watch = Stopwatch.StartNew();
        using (var disk = new LinuxDisk(root))
        using (var manifest = ExportManifest.Open(root))
        {
            var plan = new ExportPlanner(
                await TreeOutline.ReadAsync(library.Database, CancellationToken.None), library.Unwanted.IsHidden, Options(root)).Make();
            var planned = watch.Elapsed.TotalSeconds;
            var report = new Exporter(disk, manifest, new ExportTexts(Options(root), library.Views))
            {
                BeforeStep = step =>
                {
                    synced = step == "sync" ? watch.Elapsed.TotalSeconds : synced;
                    after = step == "movies" ? watch.Elapsed.TotalSeconds : after;
                },
            }.Run(plan, verify: true, CancellationToken.None);
            Assert.Equal((expected, 0), (report.Created, report.Blocked));
            output.WriteLine($"ours: tree and plan {planned:F2} s, the sync {after - synced:F2} s, all {watch.Elapsed.TotalSeconds:F2} s");
        }

        return watch.Elapsed.TotalSeconds;
    }

    private double Tar(int round)
    {
        var file = Path.Combine(_folder, $"{round}.tar");
        Run("-cf", file, "-C", Path.Combine(_folder, $"ours{round}"), "movies");
        Directory.CreateDirectory(Path.Combine(_folder, $"tar{round}"));
        Sync();
        var watch = Stopwatch.StartNew();
        Run("-xf", file, "-C", Path.Combine(_folder, $"tar{round}"));
        var time = watch.Elapsed;
        Assert.Equal(
            Titles + 1, Directory.EnumerateFiles(Path.Combine(_folder, $"tar{round}"), "*.strm", SearchOption.AllDirectories).Count());
        return time.TotalSeconds;

        static void Run(params string[] arguments)
        {
            using var process = Process.Start("tar", arguments);
            process.WaitForExit();
            Assert.Equal(0, process.ExitCode);
        }
    }
}

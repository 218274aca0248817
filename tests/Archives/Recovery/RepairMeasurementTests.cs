using System.Diagnostics;
using System.Globalization;
using NzbDav.Archives.Recovery;
using NzbDav.Content;
using NzbDav.Fakes;
using Xunit.Abstractions;

namespace NzbDav.Archives.Tests.Recovery;

/// <summary>
/// How long a repair takes beside <c>par2 repair</c> on the same set, and what memory. Printed, never asserted. <c>NZBDAV_MEASURE_MB</c> says how large the set is: the default only shows that
/// the measurement works; figures worth anything come from 512 and a release build.
/// </summary>
public sealed class RepairMeasurementTests(ITestOutputHelper output)
{
    private const int Few = 8;
    private const int SliceSize = 716_800;

    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(50)]
    public async Task A_repair_beside_par2(int holes)
    {
        var megabytes = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_MB"] as string, NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;
        var folder = Directory.CreateTempSubdirectory("nzbdav-par2-");
        try
        {
            // Ten volumes.
            var names = Enumerable.Range(1, 10).Select(static number => string.Create(CultureInfo.InvariantCulture, $"film.part{number:00}.rar")).ToArray();
            var sources = new Dictionary<string, byte[]>(StringComparer.Ordinal);
            for (var i = 0; i < names.Length; i++)
                await File.WriteAllBytesAsync(Path.Combine(folder.FullName, names[i]), sources[names[i]] = SeededBytes.Make(i + 1, megabytes * 100_000));
            if (await RunAsync(folder.FullName, ["create", "-q", $"-s{SliceSize}", "-r10", "film.par2", .. names]) is null)
                return;
            var volumes = Directory.GetFiles(folder.FullName, "*.par2").Select(File.ReadAllBytes).ToArray();
            var set = (await Par2Reader.ReadAsync(new ArchiveVolume(new MemoryContent(volumes.MinBy(static bytes => bytes.Length)!), "film.par2"), ReadIntent.Health, default))!;
            var slices = new List<RecoverySlice>();
            foreach (var volume in volumes)
                slices.AddRange(await RecoveryScan.ReadAsync(new MemoryContent(volume, 716_800), set, [], ReadIntent.Health, default));
            var lost = Math.Min(holes, slices.Count);
            var files = set.Recoverable.Select(id => set.Files.Single(file => file.Id.Span.SequenceEqual(id.Span))).Select(file => new RepairFile(file, new MemoryContent(sources[file.Name], 716_800), new List<Hole>())).ToArray();
            for (var i = 0; i < lost; i++)
            {
                var file = files[i % files.Length];
                var slice = i / files.Length * 2;
                ((List<Hole>)file.Holes).Add(new Hole((long)slice * SliceSize, ((long)slice * SliceSize) + 1));
                await using var damaged = File.OpenWrite(Path.Combine(folder.FullName, file.Described.Name));
                damaged.Position = (long)slice * SliceSize;
                await damaged.WriteAsync(new byte[SliceSize]);
            }

            var theirs = (await RunAsync(folder.FullName, ["repair", "-q", "film.par2"]))!.Value;
            GC.Collect();
            var before = GC.GetTotalAllocatedBytes();
            var (clock, cpu) = (Stopwatch.StartNew(), Environment.CpuUsage.TotalTime);
            var result = await new SetRepair(set, files, slices).RunAsync(ReadIntent.Health, default);
            var (took, used) = (clock.Elapsed, Environment.CpuUsage.TotalTime - cpu);
            Assert.Null(result.Failure);
            Assert.Equal(lost, result.Slices.Count);
            Assert.All(result.Slices, slice => Assert.True(slice.Bytes.Span.SequenceEqual(sources[files[slice.File].Described.Name].AsSpan((int)slice.Offset, slice.Bytes.Length))));
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{megabytes} MB, {lost} slices of {SliceSize} bytes: {took.TotalSeconds:0.00} s, {used.TotalSeconds:0.00} s of CPU, {(GC.GetTotalAllocatedBytes() - before) / 1e6:0} MB allocated; par2 {theirs.TotalSeconds:0.00} s, ratio {took / theirs:0.00}"));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<TimeSpan?> RunAsync(string folder, string[] arguments)
    {
        var start = new ProcessStartInfo("par2", arguments) { WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false };
        try
        {
            var clock = Stopwatch.StartNew();
            using var par2 = Process.Start(start)!;
            var (said, errors) = (par2.StandardOutput.ReadToEndAsync(), par2.StandardError.ReadToEndAsync());
            await par2.WaitForExitAsync();
            Assert.True(par2.ExitCode == 0, await said + await errors);
            return clock.Elapsed;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.False(RealPrograms.InCI, "par2 is not installed.");
            return null;
        }
    }
}

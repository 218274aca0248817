using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;
using Microsoft.Win32.SafeHandles;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Archives.Tests.Recovery;

/// <summary>
/// Duration and memory of a repair compared with <c>par2 repair</c> on the same set in one run, and whether the bytes are right. Figures
/// are printed, never asserted. <c>NZBDAV_MEASURE_MB</c> says how large the set is: the default only shows that the measurement works;
/// figures worth anything come from 2048 and a release build. Both read files from the disk's cache.
/// </summary>
public sealed class RepairMeasurementTests(ITestOutputHelper output)
{
    private const int Few = 8;
    private const int Volumes = 10;

    /// <summary>Bytes of an article and of a slice: each article that is gone is a slice.</summary>
    private const int SliceSize = 716_800;

    private static readonly int[] Rows = [1, 10, 200];

    [Fact(Explicit = true)]
    public async Task A_repair_compared_with_par2()
    {
        var megabytes = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_MB"] as string, NumberStyles.None,
            CultureInfo.InvariantCulture, out var asked) ? asked : Few;
        var folder = Directory.CreateTempSubdirectory("nzbdav-par2-");
        try
        {
            var names = Enumerable.Range(1, Volumes)
                .Select(static number => string.Create(CultureInfo.InvariantCulture, $"film.part{number:00}.rar")).ToArray();
            var hashes = new Dictionary<string, byte[]>(StringComparer.Ordinal);
            for (var i = 0; i < names.Length; i++)
            {
                var bytes = SeededBytes.Make(i + 1, megabytes * (1_000_000 / Volumes));
                hashes[names[i]] = SHA256.HashData(bytes);
                await File.WriteAllBytesAsync(Path.Combine(folder.FullName, names[i]), bytes);
            }

            if (await RunAsync(folder.FullName, ["create", "-q", $"-s{SliceSize}", "-r10", "film.par2", .. names]) is not { } made)
                return;
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture, $"{megabytes} MB in {Volumes} volumes: par2 made the set in {made.TotalSeconds:0.0} s"));
            foreach (var holes in Rows)
                await RepairAsync(folder.FullName, hashes, holes);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private async Task RepairAsync(string folder, Dictionary<string, byte[]> hashes, int holes)
    {
        var handles = new List<SafeFileHandle>();
        DiskContent Open(string name)
        {
            handles.Add(File.OpenHandle(Path.Combine(folder, name)));
            return new DiskContent(handles[^1]);
        }

        try
        {
            var volumes = Directory.GetFiles(folder, "*.par2").Select(static path => Path.GetFileName(path))
                .OrderBy(name => new FileInfo(Path.Combine(folder, name)).Length).ToArray();
            var set = (await Par2Reader.ReadAsync(new ArchiveVolume(Open(volumes[0]), volumes[0]), ReadIntent.Health, default))!;
            var slices = new List<RecoverySlice>();
            foreach (var volume in volumes)
                slices.AddRange(await RecoveryScan.ReadAsync(Open(volume), set, [], ReadIntent.Health, default));
            var lost = Math.Min(holes, slices.Count);
            var described = set.Recoverable.Select(id => set.Files.Single(file => file.Id.Span.SequenceEqual(id.Span))).ToArray();
            var gone = described.Select(static _ => new List<ByteSpan>()).ToArray();
            for (var i = 0; i < lost; i++)
            {
                // In each volume every other one.
                var start = i / Volumes * 2L * SliceSize;
                var file = described[i % Volumes];
                gone[i % Volumes].Add(new ByteSpan(start, Math.Min(file.Length, start + SliceSize)));
                await using var damaged = File.OpenWrite(Path.Combine(folder, file.Name));
                damaged.Position = start;
                await damaged.WriteAsync(new byte[(int)Math.Min(SliceSize, file.Length - start)]);
            }

            RepairFile[] files = [.. described.Select((file, i) => new RepairFile(file, Open(file.Name), gone[i]))];
            var whole = await RunOursAsync(folder, set, files, slices, lost, SliceRecovery.MemoryOf(lost, SliceSize));
            var striped = await RunOursAsync(folder, set, files, slices, lost, SliceRecovery.MemoryOf(lost, SliceSize / 4));

            // par2 repairs the files; the bytes restored here are compared with them.
            var theirs = (await RunAsync(folder, ["repair", "-q", "film.par2"]))!.Value;
            foreach (var (name, hash) in hashes)
            {
                await using var file = File.OpenRead(Path.Combine(folder, name));
                Assert.Equal(Convert.ToHexString(hash), Convert.ToHexString(await SHA256.HashDataAsync(file)));
            }

            using (whole.Result)
                Compare(whole.Result, folder, described);
            using (striped.Result)
                Compare(striped.Result, folder, described);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{lost} articles of {SliceSize} bytes: {whole.Took.TotalSeconds:0.00} s, {whole.Used.TotalSeconds:0.00} s of CPU, " +
                $"memory at most {whole.Peak / 1e6:0} MB, {(whole.Peak - ((long)lost * SliceSize)) / 1e6:0} MB beside the damage; par2 " +
                $"{theirs.TotalSeconds:0.00} s, ratio {whole.Took / theirs:0.00}"));
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"the same in four stripes: {striped.Took.TotalSeconds:0.00} s, {striped.Used.TotalSeconds:0.00} s of CPU, memory at " +
                $"most {striped.Peak / 1e6:0} MB; {striped.Took / whole.Took:0.00} times as long, " +
                $"{striped.Peak / (double)whole.Peak:0.00} times as much memory"));
        }
        finally
        {
            handles.ForEach(static handle => handle.Dispose());
            foreach (var backup in Directory.GetFiles(folder, "*.rar.1"))
                File.Delete(backup);
        }
    }

    /// <summary>Repairs with this much memory. A result in stripes is in a file.</summary>
    private static async Task<(RepairResult Result, TimeSpan Took, TimeSpan Used, long Peak)> RunOursAsync(
        string folder, Par2Set set, RepairFile[] files, IReadOnlyList<RecoverySlice> slices, int lost, long memory)
    {
        GC.Collect();
        var (before, peak) = (GC.GetTotalMemory(forceFullCollection: true), 0L);
        var (clock, cpu) = (Stopwatch.StartNew(), Environment.CpuUsage.TotalTime);
        var result = await new SetRepair(set, files, slices)
        {
            MostMemory = memory,
            Scratch = _ => File.OpenHandle(
                Path.Combine(folder, "scratch"), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, FileOptions.DeleteOnClose),
            Progress = _ => peak = Math.Max(peak, GC.GetTotalMemory(forceFullCollection: false) - before),
        }.RunAsync(ReadIntent.Health, default);
        var (took, used) = (clock.Elapsed, Environment.CpuUsage.TotalTime - cpu);
        Assert.Null(result.Failure);
        Assert.Equal(lost, result.Slices.Count);
        return (result, took, used, peak);
    }

    private static void Compare(RepairResult result, string folder, Par2File[] described)
    {
        foreach (var slice in result.Slices)
        {
            var (expected, made) = (new byte[slice.Length], new byte[slice.Length]);
            using var whole = File.OpenHandle(Path.Combine(folder, described[slice.File].Name));
            Assert.Equal(expected.Length, RandomAccess.Read(whole, expected, slice.Offset));
            slice.Read(0, made);
            Assert.True(made.AsSpan().SequenceEqual(expected));
        }
    }

    private static async Task<TimeSpan?> RunAsync(string folder, string[] arguments)
    {
        var start = new ProcessStartInfo("par2", arguments)
        { WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false };
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
            Needs.Skip("par2 is not installed.");
            return null;
        }
    }
}

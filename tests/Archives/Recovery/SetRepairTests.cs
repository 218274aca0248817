using System.Diagnostics;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Archives.Tests.Recovery;

/// <summary>Sets made by <c>par2</c> itself (the fixtures, par2cmdline 0.8.1, <c>-s4000 -r20 -n1</c>: 16 slices, 3 recovery slices), with
/// damage, mended to the exact bytes.</summary>
public sealed class SetRepairTests : SetRepairFixture
{
    [Theory]
    [InlineData("Ünïcödé 日本.mkv", 0, 12_000)]
    [InlineData("Ünïcödé 日本.mkv", 39_999, 40_000)]
    [InlineData("big.r00", 3_999, 8_001)]
    [InlineData("note.nfo", 0, 100)]
    public async Task A_hole_is_filled_with_the_exact_bytes(string name, int start, int end)
    {
        var (result, sources) = await RepairAsync(
            files => files.Single(file => file.Described.Name == name).Holes.Add(new ByteSpan(start, end)));
        Assert.Null(result.Failure);
        AssertCovers(result, sources, name, start, end);
    }

    [Fact]
    public async Task A_completely_missing_file_is_restored()
    {
        var (result, sources) = await RepairAsync(files => files.Single(file => file.Described.Name == "note.nfo").IsGone = true);
        AssertCovers(result, sources, "note.nfo", 0, 100);
    }

    [Fact]
    public async Task Unreported_damage_is_found_and_repaired()
    {
        var (result, sources) = await RepairAsync(files =>
        {
            var file = files.Single(file => file.Described.Name == "big.r00");
            file.Holes.Add(new ByteSpan(0, 1));
            file.Content.Bytes[9_000] ^= 1;
            files.Single(other => other.Described.Name == "Ünïcödé 日本.mkv").Content.FailAt(30_000, ContentFault.Missing);
        });
        Assert.Equal((3, null), (result.Missing, result.Failure));
        AssertCovers(result, sources, "big.r00", 0, 4_000);
        AssertCovers(result, sources, "big.r00", 8_000, 12_000);
        AssertCovers(result, sources, "Ünïcödé 日本.mkv", 28_000, 32_000);
    }

    [Fact]
    public async Task A_damaged_recovery_slice_is_not_used()
    {
        var volume = await FixtureAsync("recovery.vol0+3.par2");
        var first = (await ScanAsync(volume, await SetAsync(), []))[0];
        volume[(int)first.Packet + 1_000] ^= 1;
        var (result, sources) = await RepairAsync(
            files => files.Single(file => file.Described.Name == "big.r00").Holes.Add(new ByteSpan(0, 8_000)), volume);
        AssertCovers(result, sources, "big.r00", 0, 8_000);
        var (beyond, _) = await RepairAsync(
            files => files.Single(file => file.Described.Name == "big.r00").Holes.Add(new ByteSpan(0, 12_000)), volume);
        Assert.Equal((0, "3 slices are missing, and 2 recovery slices are there."), (beyond.Slices.Count, beyond.Failure));
    }

    [Fact]
    public async Task Damage_beyond_the_recovery_data_is_reported_without_reading_anything()
    {
        var (result, _) = await RepairAsync(
            files => files.Single(file => file.Described.Name == "Ünïcödé 日本.mkv").Holes.Add(new ByteSpan(0, 12_001)));
        Assert.Equal((4, 3, "4 slices are missing, and 3 recovery slices are there."), (result.Missing, result.Available, result.Failure));
        Assert.Empty(result.Slices);
    }

    [Fact]
    public async Task More_recovery_slices_are_asked_for_only_while_those_found_do_not_suffice()
    {
        var asked = new List<int>();
        var volume = await FixtureAsync("recovery.vol0+3.par2");
        var set = await SetAsync();
        var all = await ScanAsync(volume, set, []);
        foreach (var holes in new[] { 1, 2, 3, 4 })
        {
            Damaged[] files = [.. Describe(set, Files)];
            var film = files.Single(static file => file.Described.Name == "Ünïcödé 日本.mkv");
            film.Holes.Add(new ByteSpan(0, 1));
            for (var slice = 1; slice < holes; slice++)
                film.Content.Bytes[(slice * 4_000) + 1] ^= 1;

            // One slice is known, and each of the other answers has one as well, but the first has that slice again.
            var answers = new Queue<RecoverySlice>([all[0], all[1], all[2]]);
            var result = await new SetRepair(set, [.. files.Select(static file => file.Built)], [all[0]])
            {
                FindMore = _ => Task.FromResult<IReadOnlyList<RecoverySlice>?>(answers.TryDequeue(out var slice) ? [slice] : null),
            }.RunAsync(ReadIntent.Health, default);
            asked.Add(3 - answers.Count);
            if (holes < 4)
                AssertCovers(result, [.. files.Select(file => Files.Single(source => source.Name == file.Described.Name))],
                    film.Described.Name, 0, holes * 4_000);
            else
                Assert.Equal(
                    (4, 3, "4 slices are missing, and 3 recovery slices are there."), (result.Missing, result.Available, result.Failure));
        }

        Assert.Equal([0, 2, 3, 3], asked);
        Pool.AssertAllReturned();
    }

    [Fact]
    public async Task A_repair_takes_its_memory_before_each_pass_and_is_refused_in_words_where_there_is_too_little()
    {
        var set = await SetAsync();
        var slices = await ScanAsync(await FixtureAsync("recovery.vol0+3.par2"), set, []);
        foreach (var (most, passes) in new[] { (SliceRecovery.MemoryOf(1, 4_000) - 1, 0), (SliceRecovery.MemoryOf(1, 4_000), 1),
            (SliceRecovery.MemoryOf(2, 4_000), 2) })
        {
            Damaged[] files = [.. Describe(set, Files)];
            var film = files.Single(static file => file.Described.Name == "Ünïcödé 日本.mkv");
            film.Holes.Add(new ByteSpan(0, 1));
            film.Content.Bytes[9_000] ^= 1;
            var (taken, read) = (new List<long>(), 0);
            var result = await new SetRepair(set, [.. files.Select(static file => file.Built)], slices)
            {
                MostMemory = most,
                ReserveMemory = (bytes, _) =>
                {
                    taken.Add(bytes);
                    return Task.CompletedTask;
                },
                Progress = _ => read++,
            }.RunAsync(ReadIntent.Health, default);
            Assert.Equal([.. new[] { 1, 2 }.Take(passes).Select(static missing => SliceRecovery.MemoryOf(missing, 4_000))], taken);
            Assert.Equal(passes > 0, read > 0);
            if (passes == 2)
                AssertCovers(result, [.. files.Select(file => Files.Single(source => source.Name == file.Described.Name))],
                    film.Described.Name, 8_000, 12_000);
            else
                Assert.Contains(
                    "MiB are missing: more than can be repaired at once. That takes ", result.Failure, StringComparison.Ordinal);
        }

        Pool.AssertAllReturned();
    }

    [Fact]
    public async Task A_complete_set_needs_no_repair()
    {
        var (result, _) = await RepairAsync(_ => { });
        Assert.Equal((0, 0, null), (result.Missing, result.Slices.Count, result.Failure));
    }

    [Fact]
    public async Task A_temporarily_unavailable_source_is_not_damage()
    {
        var fault = await Assert.ThrowsAsync<ContentException>(
            () => RepairAsync(files => files[0].Content.FailAt(100, ContentFault.Unavailable)));
        Assert.Equal(ContentFault.Unavailable, fault.Fault);
        Pool.AssertAllReturned();
    }

    [Fact]
    public async Task Slices_after_a_hole_in_a_volume_are_found()
    {
        var volume = await FixtureAsync("recovery.vol0+3.par2");
        var set = await SetAsync();
        var all = await ScanAsync(volume, set, []);
        Assert.Equal([0, 1, 2], all.Select(static slice => slice.Exponent).Order());
        foreach (var lost in all)
        {
            var holed = volume.ToArray();
            holed.AsSpan((int)lost.Packet, 200).Clear();
            var left = await ScanAsync(holed, set, [new ByteSpan(lost.Packet, lost.Packet + 200)]);
            Assert.Equal(all.Where(slice => slice != lost).Select(static slice => (slice.Exponent, slice.Packet)),
                left.Select(static slice => (slice.Exponent, slice.Packet)));
        }
    }

    /// <summary>par2 cuts this one into slices that no article and no part of the calculation ends with.</summary>
    [Theory]
    [InlineData(51_204, 40)]
    [InlineData(2_000_004, 6)]
    public async Task Sets_made_by_the_installed_par2_repair_many_holes(int sliceSize, int recovery)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-par2-");
        try
        {
            var sources = new[] { ("film.mkv", SeededBytes.Make(7, 9_000_001)), ("film.nfo", SeededBytes.Make(8, 3_000)) };
            foreach (var (name, bytes) in sources)
                await File.WriteAllBytesAsync(Path.Combine(folder.FullName, name), bytes);
            if (!await CreateAsync(folder.FullName, sliceSize, recovery))
                return;
            var volumes = Directory.GetFiles(folder.FullName, "*.par2").Select(File.ReadAllBytes).ToArray();
            var set = await Par2Reader.ReadAsync(new ArchiveVolume(
                new MemoryContent(volumes.MinBy(static bytes => bytes.Length)!), "film.par2"), ReadIntent.Health, default);
            Assert.Null(SetRepair.Unusable(set!));
            var slices = new List<RecoverySlice>();
            foreach (var volume in volumes)
                slices.AddRange(
                    await RecoveryScan.ReadAsync(new MemoryContent(volume, 10_000, Pool), set!, [], ReadIntent.Health, default));
            Assert.Equal(recovery, slices.Count);
            var random = new Random(3);
            Damaged[] damaged = [.. Describe(set!, sources)];
            var film = damaged.Single(static file => file.Described.Name == "film.mkv");
            var count = 9_000_001 / sliceSize;
            foreach (var slice in Enumerable.Range(0, count).OrderBy(_ => random.Next()).Take(Math.Min(count, recovery)))
            {
                var start = (slice * (long)sliceSize) + random.Next(sliceSize);
                film.Holes.Add(new ByteSpan(start, start + 1));
            }

            var result = await new SetRepair(set!, [.. damaged.Select(static file => file.Built)], slices)
                .RunAsync(ReadIntent.Health, default);
            Assert.Null(result.Failure);
            foreach (var hole in film.Holes)
                AssertCovers(result, [.. damaged.Select(file => sources.Single(source => source.Item1 == file.Described.Name))], "film.mkv",
                    (int)hole.Start, (int)hole.End);
            Pool.AssertAllReturned();
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<bool> CreateAsync(string folder, int sliceSize, int recovery)
    {
        var start = new ProcessStartInfo(
            "par2", ["create", "-q", $"-s{sliceSize}", $"-c{recovery}", "film.par2", "film.mkv", "film.nfo"])
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false
        };
        try
        {
            using var par2 = Process.Start(start)!;
            var (said, errors) = (par2.StandardOutput.ReadToEndAsync(), par2.StandardError.ReadToEndAsync());
            await par2.WaitForExitAsync();
            Assert.True(par2.ExitCode == 0, await said + await errors);
            return true;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Needs.Skip("par2 is not installed.");
            return false;
        }
    }
}

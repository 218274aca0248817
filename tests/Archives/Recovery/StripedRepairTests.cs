using Microsoft.Win32.SafeHandles;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Recovery;

namespace NzbDav.Archives.Tests.Recovery;

/// <summary>Repairs whose missing slices do not fit the memory: they are restored stripe by stripe, into a file.</summary>
public sealed class StripedRepairTests : SetRepairFixture, IDisposable
{
    private readonly List<SafeFileHandle> _scratch = [];
    private readonly List<long> _taken = [];

    public void Dispose()
    {
        foreach (var file in _scratch)
            file.Dispose();
    }

    [Theory]
    [InlineData(2_048)]
    [InlineData(1_024)]
    [InlineData(256)]
    public async Task Missing_slices_are_restored_stripe_by_stripe_to_the_exact_bytes(int stripe)
    {
        using var result = await RunAsync(
            await ScanAsync(await FixtureAsync("recovery.vol0+3.par2"), await SetAsync(), []), SliceRecovery.MemoryOf(3, stripe), files =>
        {
            // Also the last, short slice of a file, of which most stripes have nothing.
            files.Single(static file => file.Described.Name == "big.r00").Holes.AddRange([new(0, 1), new(16_000, 16_001)]);
            files.Single(static file => file.Described.Name == "note.nfo").IsGone = true;
        });
        Assert.Equal((3, null), (result.Missing, result.Failure));
        AssertCovers(result, await SourcesAsync(), "big.r00", 0, 4_000);
        AssertCovers(result, await SourcesAsync(), "big.r00", 16_000, 16_384);
        AssertCovers(result, await SourcesAsync(), "note.nfo", 0, 100);
        Assert.Equal([SliceRecovery.MemoryOf(3, stripe)], _taken);
        Assert.Single(_scratch);
        Assert.False(_scratch[0].IsClosed);
        result.Dispose();
        Assert.True(_scratch[0].IsClosed);
    }

    /// <param name="hole">Where an article of the film is gone: in the part of its slice that the first stripe reads, or in one that it
    /// reads over.</param>
    [Theory]
    [InlineData(28_300)]
    [InlineData(31_000)]
    public async Task Damage_that_only_reading_shows_is_repaired_by_the_next_pass(int hole)
    {
        using var result = await RunAsync(
            await ScanAsync(await FixtureAsync("recovery.vol0+3.par2"), await SetAsync(), []), SliceRecovery.MemoryOf(3, 1_024), files =>
        {
            var big = files.Single(static file => file.Described.Name == "big.r00");
            big.Holes.Add(new ByteSpan(0, 1));
            big.Content.Bytes[8_100] ^= 1;
            files.Single(static file => file.Described.Name == "Ünïcödé 日本.mkv").Content.FailAt(hole, ContentFault.Missing);
        });
        Assert.Equal((3, null), (result.Missing, result.Failure));
        AssertCovers(result, await SourcesAsync(), "big.r00", 0, 4_000);
        AssertCovers(result, await SourcesAsync(), "big.r00", 8_000, 12_000);
        AssertCovers(result, await SourcesAsync(), "Ünïcödé 日本.mkv", 28_000, 32_000);
        Assert.Equal(2, _scratch.Count);
        Assert.True(_scratch[0].IsClosed);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(3_900)]
    public async Task A_recovery_slice_that_is_damaged_in_any_stripe_is_not_used(int offset)
    {
        var set = await SetAsync();
        var volume = await FixtureAsync("recovery.vol0+3.par2");
        var first = (await ScanAsync(volume, set, []))[0];
        volume[(int)first.Packet + RecoverySlice.DataOffset + offset] ^= 1;
        using var result = await RunAsync(await ScanAsync(volume, set, []), SliceRecovery.MemoryOf(2, 1_024),
            static files => files.Single(static file => file.Described.Name == "big.r00").Holes.Add(new ByteSpan(0, 8_000)));
        Assert.Equal((2, 2, null), (result.Missing, result.Available, result.Failure));
        AssertCovers(result, await SourcesAsync(), "big.r00", 0, 8_000);
    }

    /// <summary>A stripe of slices that are far longer than an article reads only its own part of them.</summary>
    [Fact]
    public async Task Of_long_slices_every_byte_is_read_once()
    {
        const int SliceSize = 6_000_000;
        var film = SeededBytes.Make(5, (3 * SliceSize) + 2_500_001);
        var writer = new Par2Writer { SliceSize = SliceSize }.Add("film.mkv", film);
        var set =
            (await Par2Reader.ReadAsync(new ArchiveVolume(new MemoryContent(writer.Index()), "film.par2"), ReadIntent.Health, default))!;
        var volume = new MemoryContent(writer.Volume(1), 700_000, Pool);
        var slices = await RecoveryScan.ReadAsync(volume, set, [], ReadIntent.Health, default);
        var content = new MemoryContent(film, 700_000, Pool);
        var scanned = volume.Requests.Count;

        // Four stripes of 1.5 MB: what lies between them is longer than what is read over.
        using var result = await NewRepair(set, [new RepairFile(set.Files[0], content, [new ByteSpan(SliceSize, SliceSize + 1)])], slices,
            SliceRecovery.MemoryOf(1, 1_500_032)).RunAsync(ReadIntent.Health, default);
        AssertCovers(result, [("film.mkv", film)], "film.mkv", SliceSize, 2 * SliceSize);
        Assert.Equal(film.Length - SliceSize, content.Requests.Sum(static request => request.End - request.Start));
        Assert.Equal(4, volume.Requests.Count - scanned);
        Assert.Equal(
            SliceSize + RecoverySlice.DataOffset, volume.Requests.Skip(scanned).Sum(static request => request.End - request.Start));
        Pool.AssertAllReturned();
    }

    [Fact]
    public async Task What_does_not_fit_in_the_most_stripes_either_is_refused_in_words()
    {
        var slices = await ScanAsync(await FixtureAsync("recovery.vol0+3.par2"), await SetAsync(), []);
        using var result = await RunAsync(slices, SliceRecovery.MemoryOf(3, 256) - 1,
            static files => files.Single(static file => file.Described.Name == "big.r00").Holes.Add(new ByteSpan(0, 12_000)));
        Assert.Contains("MiB are missing: more than can be repaired at once. That takes ", result.Failure, StringComparison.Ordinal);
        Assert.Empty(_scratch);
        Assert.Empty(_taken);
    }

    [Fact]
    public async Task A_disk_without_room_ends_the_repair()
    {
        var set = await SetAsync();
        Damaged[] files = [.. Describe(set, Files)];
        files.Single(static file => file.Described.Name == "big.r00").Holes.Add(new ByteSpan(0, 12_000));
        var slices = await ScanAsync(await FixtureAsync("recovery.vol0+3.par2"), set, []);
        var repair = new SetRepair(set, [.. files.Select(static file => file.Built)], slices)
        { MostMemory = SliceRecovery.MemoryOf(3, 1_024), Scratch = static _ => throw new IOException("No space left on device") };
        Assert.Equal(
            "No space left on device", (await Assert.ThrowsAsync<IOException>(() => repair.RunAsync(ReadIntent.Health, default))).Message);
        Assert.All(files, static file => Assert.Empty(file.Content.Requests));
    }

    private async Task<RepairResult> RunAsync(IReadOnlyList<RecoverySlice> slices, long memory, Action<Damaged[]> damage)
    {
        var set = await SetAsync();
        Damaged[] files = [.. Describe(set, Files)];
        damage(files);
        var result = await NewRepair(set, [.. files.Select(static file => file.Built)], slices, memory)
            .RunAsync(ReadIntent.Health, default);
        Pool.AssertAllReturned();
        return result;
    }

    private SetRepair NewRepair(Par2Set set, IReadOnlyList<RepairFile> files, IReadOnlyList<RecoverySlice> slices, long memory) =>
        new(set, files, slices)
        {
            Threads = 2,
            MostMemory = memory,
            ReserveMemory = (bytes, _) =>
            {
                _taken.Add(bytes);
                return Task.CompletedTask;
            },
            Scratch = bytes =>
            {
                _scratch.Add(File.OpenHandle(Path.Combine(Path.GetTempPath(), Path.GetRandomFileName()), FileMode.CreateNew,
                    FileAccess.ReadWrite, FileShare.None, FileOptions.DeleteOnClose));
                return _scratch[^1];
            },
        };

    private static async Task<(string Name, byte[] Bytes)[]> SourcesAsync()
    {
        var set = await SetAsync();
        return [.. set.Recoverable.Select(
            id => Files.Single(source => source.Name == set.Files.Single(file => file.Id.Span.SequenceEqual(id.Span)).Name))];
    }
}

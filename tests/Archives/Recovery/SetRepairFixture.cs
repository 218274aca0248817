using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Archives.Tests.Recovery;

/// <summary>
/// The fixtures' set (par2cmdline 0.8.1, <c>-s4000 -r20 -n1</c>: 16 slices, 3 recovery slices) and what a repair of it needs.
/// </summary>
public abstract class SetRepairFixture
{
    private protected static readonly (string Name, byte[] Bytes)[] Files =
    [
        ("Ünïcödé 日本.mkv", SeededBytes.Make(1, 40_000)), ("big.r00", SeededBytes.Make(3, 16_384)), ("note.nfo", SeededBytes.Make(2, 100)),
    ];

    private protected DiagnosticBufferPool Pool { get; } = new();

    /// <summary>Damages the files of the fixture and repairs them.</summary>
    protected async Task<(RepairResult Result, (string Name, byte[] Bytes)[] Sources)> RepairAsync(
        Action<Damaged[]> damage, byte[]? volume = null)
    {
        var set = await SetAsync();
        Assert.Null(SetRepair.Unusable(set));
        Damaged[] files = [.. Describe(set, Files)];
        damage(files);
        var slices = await ScanAsync(volume ?? await FixtureAsync("recovery.vol0+3.par2"), set, []);
        var result = await new SetRepair(set, [.. files.Select(static file => file.Built)], slices) { Threads = 2 }.RunAsync(
            ReadIntent.Health, default);
        Pool.AssertAllReturned();
        return (result, [.. files.Select(file => Files.Single(source => source.Name == file.Described.Name))]);
    }

    protected IEnumerable<Damaged> Describe(Par2Set set, (string Name, byte[] Bytes)[] sources)
    {
        foreach (var id in set.Recoverable)
        {
            var described = set.Files.Single(file => file.Id.Span.SequenceEqual(id.Span));
            yield return new Damaged(
                described, new MemoryContent([.. sources.Single(source => source.Name == described.Name).Bytes], 700, Pool));
        }
    }

    protected Task<IReadOnlyList<RecoverySlice>> ScanAsync(byte[] volume, Par2Set set, ByteSpan[] holes) =>
        RecoveryScan.ReadAsync(new MemoryContent(volume, 700, Pool), set, holes, ReadIntent.Health, default);

    protected static async Task<Par2Set> SetAsync() =>
        (await Par2Reader.ReadAsync(
            new ArchiveVolume(new MemoryContent(await FixtureAsync("recovery.par2")), "recovery.par2"), ReadIntent.Health, default))!;

    protected static Task<byte[]> FixtureAsync(string name) =>
        File.ReadAllBytesAsync(Path.Combine(AppContext.BaseDirectory, "Recovery", "Fixtures", name));

    protected static void AssertCovers(RepairResult result, (string Name, byte[] Bytes)[] sources, string name, int start, int end)
    {
        var index = Array.FindIndex(sources, source => source.Name == name);
        var source = sources[index].Bytes;
        for (long at = start; at < end;)
        {
            var slice = result.Slices.Single(slice => slice.File == index && slice.Offset <= at && at < slice.Offset + slice.Length);
            var bytes = new byte[slice.Length];
            slice.Read(0, bytes);
            Assert.True(bytes.AsSpan().SequenceEqual(source.AsSpan((int)slice.Offset, slice.Length)));
            at = slice.Offset + slice.Length;
        }
    }

    protected sealed class Damaged(Par2File described, MemoryContent content)
    {
        public Par2File Described => described;

        public MemoryContent Content => content;

        public List<ByteSpan> Holes { get; } = [];

        public bool IsGone { get; set; }

        public RepairFile Built => new(described, IsGone ? null : content, Holes);
    }
}

using System.Diagnostics;
using System.Security.Cryptography;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Fakes.Recovery;

namespace NzbDav.Archives.Tests.Recovery;

/// <summary>Sets made by <c>par2</c> itself (the fixtures, par2cmdline 0.8.1, <c>-s4000 -r20 -n1</c>) and by <see cref="Par2Writer"/>,
/// whole and damaged.</summary>
#pragma warning disable CA5351 // The format asks for MD5.
public sealed class Par2ReaderTests
{
    private static readonly (string Name, byte[] Bytes)[] Files =
    [
        ("Ünïcödé 日本.mkv", SeededBytes.Make(1, 40_000)), ("big.r00", SeededBytes.Make(3, 16_384)), ("note.nfo", SeededBytes.Make(2, 100)),
    ];

    [Theory]
    [InlineData("recovery.par2")]
    [InlineData("recovery.vol0+3.par2")]
    public async Task Sets_of_par2_are_read(string fixture) =>
        AssertWhole(await ReadAsync(await File.ReadAllBytesAsync(Path.Combine(AppContext.BaseDirectory, "Recovery", "Fixtures", fixture))));

    [Fact]
    public async Task Sets_of_the_writer_are_read()
    {
        AssertWhole(await ReadAsync(Writer().Index()));
        AssertWhole(await ReadAsync(Writer().Volume(5)));
    }

    [Fact]
    public async Task Sets_of_the_writer_are_accepted_by_par2()
    {
        if (!File.Exists("/usr/bin/par2"))
            return;
        var folder = Directory.CreateTempSubdirectory("nzbdav-par2-");
        try
        {
            foreach (var (name, bytes) in Files)
                await File.WriteAllBytesAsync(Path.Combine(folder.FullName, name), bytes);
            await File.WriteAllBytesAsync(Path.Combine(folder.FullName, "w.par2"), Writer().Index());
            var start = new ProcessStartInfo("/usr/bin/par2", ["verify", "w.par2"])
            {
                WorkingDirectory = folder.FullName,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
                UseShellExecute = false
            };
            using var par2 = Process.Start(start)!;
            var said = await par2.StandardOutput.ReadToEndAsync();
            await par2.WaitForExitAsync();
            Assert.True(par2.ExitCode == 0, said);
            Assert.Contains("All files are correct", said, StringComparison.Ordinal);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public async Task Slices_are_not_fetched()
    {
        var bytes = new Par2Writer { SliceSize = 1 << 20 }.Add("a", [1, 2, 3]).Volume(4);
        var pool = new DiagnosticBufferPool();
        var content = new MemoryContent(bytes, 1000, pool);
        var set = await Par2Reader.ReadAsync(new ArchiveVolume(content, "x"), ReadIntent.Import, CancellationToken.None);
        Assert.Equal("a", Assert.Single(set!.Files).Name);
        Assert.InRange(content.Requests.Sum(request => request.End - request.Start), 1, 64 << 10);
    }

    [Fact]
    public async Task A_damaged_packet_is_skipped_and_the_others_are_read()
    {
        var bytes = Writer().Index();
        var at = bytes.AsSpan().IndexOf("FileDesc"u8);
        bytes[at + 30] ^= 1;
        var set = await ReadAsync(bytes);
        Assert.Equal((2, 3, false), (set!.Files.Length, set.FileCount, set.IsComplete));
    }

    [Fact]
    public async Task Noise_between_and_before_packets_does_not_matter()
    {
        var bytes = Writer().Index();
        var second = bytes.AsSpan(8).IndexOf("PAR2\0PKT"u8) + 8;
        AssertWhole(
            await ReadAsync([.. SeededBytes.Make(9, 777), .. bytes[..second], .. SeededBytes.Make(10, 100_001), .. bytes[second..]]));
    }

    [Fact]
    public async Task Truncated_or_altered_sets_never_throw_and_never_give_wrong_facts()
    {
        var whole = Writer().Index();
        for (var length = 0; length < whole.Length; length += 7)
            AssertTrue(await ReadAsync(whole[..length]));
        var random = new Random(5);
        for (var i = 0; i < 2000; i++)
        {
            var bytes = (byte[])whole.Clone();
            for (var n = random.Next(1, 20); n > 0; n--)
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            AssertTrue(await ReadAsync(bytes));
        }
    }

    [Theory]
    [InlineData(ulong.MaxValue)]
    [InlineData(1UL << 62)]
    [InlineData(4UL)]
    [InlineData(66UL)]
    public async Task An_impossible_length_allocates_nothing(ulong length)
    {
        var bytes = Writer().Index();
        BitConverter.GetBytes(length).CopyTo(bytes, 8);
        var before = GC.GetAllocatedBytesForCurrentThread();
        AssertTrue(await ReadAsync(bytes));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 << 20);
    }

    private static Par2Writer Writer() => Files.Aggregate(new Par2Writer(), (writer, file) => writer.Add(file.Name, file.Bytes));

    private static async Task<Par2Set?> ReadAsync(byte[] bytes) =>
        await Par2Reader.ReadAsync(
            new ArchiveVolume(new MemoryContent(bytes, 700, new DiagnosticBufferPool()), "x"), ReadIntent.Import, CancellationToken.None);

    private static void AssertWhole(Par2Set? set)
    {
        Assert.Equal((4000, 3, true), (set!.SliceSize, set.FileCount, set.IsComplete));
        Assert.Equal(Files.Select(file => file.Name).Order(StringComparer.Ordinal),
            set.Files.Select(file => file.Name).Order(StringComparer.Ordinal));
        Assert.Equal([1, 5, 10], set.Files.Select(file => file.SliceChecksums.Length / 20).Order());
        AssertTrue(set);
    }

#pragma warning disable CA5351 // MD5 is what the format is made of.
    private static void AssertTrue(Par2Set? set)
    {
        foreach (var file in set?.Files ?? [])
        {
            var (_, bytes) = Array.Find(Files, one => one.Name == file.Name);
            Assert.Equal(bytes.Length, file.Length);
            Assert.True(file.Hash.Span.SequenceEqual(MD5.HashData(bytes)));
            Assert.True(file.HeadHash.Span.SequenceEqual(MD5.HashData(bytes.AsSpan(0, Math.Min(bytes.Length, 16 << 10)))));
        }
    }
#pragma warning restore CA5351
}

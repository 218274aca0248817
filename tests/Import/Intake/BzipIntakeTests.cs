using System.Diagnostics;
using NzbDav.Fakes;
using NzbDav.Import.Intake;

namespace NzbDav.Import.Tests.Intake;

/// <summary>An .nzb packed by <c>bzip2</c> itself, whole and damaged.</summary>
public sealed class BzipIntakeTests
{
    /// <summary>"bzip2 fixture, twice the same line\n" twice, by <c>bzip2 -1</c> 1.0.8.</summary>
    private const string Fixture =
        "QlpoMTFBWSZTWWuof98AAAnZgAAQQAQQADtnXtAgAEBVU0ZAaMmTQo0ZA0aZGmyKDKKDxVJNRR47VTerrMLpLJnzQwg4IsPxdyRThQkGuof98A==";

    private static readonly byte[] Small = Convert.FromBase64String(Fixture);

    /// <summary>A stream without a block: what <c>bzip2</c> makes of an empty file.</summary>
    private static readonly byte[] Nothing = [0x42, 0x5A, 0x68, 0x39, 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, 0, 0, 0, 0];

    [Fact]
    public void A_small_file_is_unpacked() =>
        Assert.Equal("bzip2 fixture, twice the same line\nbzip2 fixture, twice the same line\n"u8.ToArray(), Unpack(Small));

    [Theory]
    [InlineData("-1")]
    [InlineData("-9")]
    public void Blocks_runs_and_all_byte_values_round_trip(string level)
    {
        Assert.SkipUnless(HasBzip(), "bzip2 is not installed.");
        foreach (var source in Sources())
            Assert.Equal(source, Unpack(Pack(source, level)));
    }

    [Fact]
    public void Concatenated_streams_are_one_file_with_empty_ones_among_them()
    {
        Assert.Equal(140, Unpack([.. Small, .. Small])!.Length);
        Assert.Equal(140, Unpack([.. Nothing, .. Small, .. Nothing, .. Nothing, .. Small, .. Nothing])!.Length);
        Assert.Equal([], Unpack(Nothing)!);
    }

    [Fact]
    public void Data_behind_the_last_stream_are_reported() => Assert.Null(Unpack([.. Small, 1, 2, 3, 4, 5, 6, 7, 8]));

    [Fact]
    public void A_file_that_ends_too_early_is_reported_wherever_it_ends()
    {
        // A file shorter than four bytes is not known as bzip2: the .nzb parser refuses it.
        for (var length = 4; length < Small.Length; length++)
            Assert.Null(Unpack(Small[..length]));

        // Fewer than the four bytes of a signature are ignored: no stream began. The parser of the .nzb reports one that breaks off.
        for (var length = 4; length < Small.Length; length++)
            Assert.Null(Unpack([.. Small, .. Small[..length]]));
    }

    [Fact]
    public void Altered_input_never_gives_other_bytes_and_takes_no_memory()
    {
        var source = Unpack(Small)!;
        var random = new Random(6);
        var reported = 0;
        for (var i = 0; i < 1000; i++)
        {
            var bytes = (byte[])Small.Clone();
            for (var flips = random.Next(1, 4); flips > 0; flips--)
                bytes[random.Next(4, bytes.Length)] ^= (byte)(1 << random.Next(8));
            var before = GC.GetAllocatedBytesForCurrentThread();
            var unpacked = Unpack(bytes);

            // Level 1 has blocks of 100,000 bytes, of which the decoder keeps some bytes each.
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 4 << 20);
            if (unpacked is null)
                reported++;
            else
                Assert.Equal(source, unpacked);
        }

        // Only changes to bits that no decoder reads go unnoticed.
        Assert.InRange(reported, 850, 1000);
    }

    [Fact]
    public void A_bomb_stops_at_the_limit()
    {
        Assert.SkipUnless(HasBzip(), "bzip2 is not installed.");
        var bomb = Pack(new byte[20_000_000], "-9");
        Assert.InRange(bomb.Length, 1, 1000);
        using var file = Spool();
        file.Write(bomb);
        Assert.True(NzbPackage.Unpack(file, 1 << 20, Spool).TooLarge);
    }

    private static IEnumerable<byte[]> Sources()
    {
        yield return [];
        yield return [7];
        yield return new byte[300_000];
        yield return SeededBytes.Make(1, 250_000);
        var random = new Random(3);
        var runs = new List<byte>();
        while (runs.Count < 250_000)
            runs.AddRange(Enumerable.Repeat((byte)random.Next(256), random.Next(5) == 0 ? random.Next(250, 300) : random.Next(1, 7)));
        yield return [.. runs];
    }

    /// <summary>Null if it is refused as damaged.</summary>
    private static byte[]? Unpack(byte[] packed)
    {
        using var file = Spool();
        file.Write(packed);
        var unpacked = NzbPackage.Unpack(file, 1 << 20, Spool);
        if (unpacked.Error is not null)
        {
            Assert.StartsWith("The file that the .nzb is packed in is damaged: ", unpacked.Error, StringComparison.Ordinal);
            return null;
        }

        using var stream = Assert.Single(unpacked.Parts).Stream;
        stream.Position = 0;
        var bytes = new byte[stream.Length];
        stream.ReadExactly(bytes);
        return bytes;
    }

    private static FileStream Spool() =>
        new(Path.GetTempFileName(), FileMode.Open, FileAccess.ReadWrite, FileShare.None, 4096, FileOptions.DeleteOnClose);

    private static bool HasBzip() => File.Exists("/bin/bzip2") || File.Exists("/usr/bin/bzip2");

    private static byte[] Pack(byte[] bytes, string level)
    {
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllBytes(file, bytes);
            using var bzip = Process.Start(
                new ProcessStartInfo("bzip2", [level, "-c", file]) { RedirectStandardOutput = true, UseShellExecute = false })!;
            using var output = new MemoryStream();
            bzip.StandardOutput.BaseStream.CopyTo(output);
            bzip.WaitForExit();
            return output.ToArray();
        }
        finally
        {
            File.Delete(file);
        }
    }
}

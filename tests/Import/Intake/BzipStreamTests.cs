using System.Diagnostics;
using NzbDav.Fakes;
using NzbDav.Import.Intake;

namespace NzbDav.Import.Tests.Intake;

/// <summary>Against what <c>bzip2</c> itself wrote; skipped parts of the format have no writer in .NET.</summary>
public sealed class BzipStreamTests
{
    /// <summary>"bzip2 fixture, twice the same line\n" twice, by <c>bzip2 -1</c> 1.0.8.</summary>
    private const string Small =
        "QlpoMTFBWSZTWWuof98AAAnZgAAQQAQQADtnXtAgAEBVU0ZAaMmTQo0ZA0aZGmyKDKKDxVJNRR47VTerrMLpLJnzQwg4IsPxdyRThQkGuof98A==";

    [Fact]
    public void A_small_file_is_unpacked() =>
        Assert.Equal("bzip2 fixture, twice the same line\nbzip2 fixture, twice the same line\n"u8.ToArray(),
            Unpack(Convert.FromBase64String(Small)));

    [Theory]
    [InlineData("-1")]
    [InlineData("-9")]
    public void Blocks_runs_and_all_byte_values_round_trip(string level)
    {
        if (!File.Exists("/bin/bzip2") && !File.Exists("/usr/bin/bzip2"))
            return;
        foreach (var source in Sources())
            Assert.Equal(source, Unpack(Pack(source, level)));
    }

    [Fact]
    public void Concatenated_streams_are_one_file()
    {
        var one = Convert.FromBase64String(Small);
        Assert.Equal(140, Unpack([.. one, .. one]).Length);
    }

    [Fact]
    public void Truncated_or_altered_input_is_reported_and_never_hangs()
    {
        var whole = Convert.FromBase64String(Small);
        for (var length = 0; length < whole.Length; length++)
            Assert.Throws<InvalidDataException>(() => Unpack(whole[..length]));
        var random = new Random(6);
        for (var i = 0; i < 3000; i++)
        {
            var bytes = (byte[])whole.Clone();
            bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            try
            {
                // Only changes to unused bits may go unnoticed.
                Assert.Equal(Unpack(whole), Unpack(bytes));
            }
            catch (InvalidDataException)
            {
            }
        }
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

    private static byte[] Unpack(byte[] packed)
    {
        using var stream = new BzipStream(new MemoryStream(packed));
        using var output = new MemoryStream();
        stream.CopyTo(output);
        return output.ToArray();
    }

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

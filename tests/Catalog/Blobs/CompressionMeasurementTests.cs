using System.Diagnostics;
using System.Globalization;
using System.Text;
using NzbDav.Catalog.Maps;

namespace NzbDav.Catalog.Tests.Blobs;

/// <summary>
/// Size and time of blobs by zstd level, with a trained dictionary and without. Prints its figures and asserts that every byte is restored.
/// <c>NZBDAV_MEASURE_COMPRESSION</c> sets the number of blobs of each kind; the default only shows that the measurement works.
/// </summary>
public class CompressionMeasurementTests(ITestOutputHelper output)
{
    private const int Few = 8;

    /// <summary>The default dictionary size of zstd's own program.</summary>
    private const int DictionarySize = 112_640;

    private static readonly int Blobs = int.TryParse(Environment.GetEnvironmentVariables()["NZBDAV_MEASURE_COMPRESSION"] as string,
        NumberStyles.None, CultureInfo.InvariantCulture, out var asked) ? asked : Few;

    /// <summary>Each time is the best of this many rounds. Without a measurement, one round shows that it works.</summary>
    private static readonly int Rounds = Blobs == Few ? 1 : 3;

    [Theory(Explicit = true)]
    [InlineData(".nzb", 30)]
    [InlineData(".nzb", 800)]
    [InlineData(".nzb", 10_000)]
    [InlineData("layout", 30)]
    [InlineData("layout", 800)]
    [InlineData("layout", 10_000)]
    public void Size_and_time_by_level(string kind, int articles)
    {
        // One half trains the dictionary, the other half is measured.
        var all = Enumerable.Range(0, 2 * Blobs).Select(seed => kind == ".nzb" ? Nzb(seed, articles) : Layout(seed, articles)).ToArray();
        var dictionary = TrainedZstandard.Train(all[Blobs..], DictionarySize);
        var blobs = all[..Blobs];
        var length = blobs.Sum(static blob => (long)blob.Length);
        foreach (var level in (int[])[1, 3, 6, 9, 12, 19])
        {
            var (plain, plainPack, plainUnpack) = Measure(level, null, blobs);
            var (trained, trainedPack, trainedUnpack) = Measure(level, dictionary, blobs);
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"| {kind}, {articles} articles, {length / Blobs} bytes | {level} | {plain / Blobs} | {plainPack:F2} | {plainUnpack:F2} " +
                $"| {trained / Blobs} | {trainedPack:F2} | {trainedUnpack:F2} |"));
        }
    }

    /// <returns>Bytes of all blobs; milliseconds to write one and to read one.</returns>
    private static (long Size, double Pack, double Unpack) Measure(int level, byte[]? dictionary, byte[][] blobs)
    {
        using var zstd = new TrainedZstandard(level, dictionary);
        var packed = new byte[blobs.Length][];
        var (pack, unpack) = (double.MaxValue, double.MaxValue);
        for (var round = 0; round < Rounds; round++)
        {
            var watch = Stopwatch.StartNew();
            for (var i = 0; i < blobs.Length; i++)
                packed[i] = zstd.Compress(blobs[i]);
            pack = Math.Min(pack, watch.Elapsed.TotalMilliseconds / blobs.Length);
            watch.Restart();
            var back = new byte[blobs.Length][];
            for (var i = 0; i < blobs.Length; i++)
                back[i] = zstd.Decompress(packed[i], blobs[i].Length);
            unpack = Math.Min(unpack, watch.Elapsed.TotalMilliseconds / blobs.Length);
            Assert.All(back, (bytes, i) => Assert.True(bytes.AsSpan().SequenceEqual(blobs[i])));
        }

        return (packed.Sum(static bytes => (long)bytes.Length), pack, unpack);
    }

    private static byte[] Layout(int seed, int articles) =>
        ExtentMapCodec.Encode(Samples.Regular(articles, seed.ToString(CultureInfo.InvariantCulture)), sizesVerified: true).ToArray();

    /// <summary>An .nzb as a posting program writes it: volumes of 70 articles with random ids.</summary>
    private static byte[] Nzb(int seed, int articles)
    {
        const int VolumeArticles = 70;
        const string Letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
        var random = new Random(seed);
        var name = new string(random.GetItems<char>(Letters, 24));
        var volumes = (articles + VolumeArticles - 1) / VolumeArticles;
        var date = 1_700_000_000 + random.Next(50_000_000);
        var text = new StringBuilder(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE nzb PUBLIC \"-//newzBin//DTD NZB 1.1//EN\" " +
            "\"http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd\">\n<nzb xmlns=\"http://www.newzbin.com/DTD/2003/nzb\">\n");
        for (var volume = 0; volume < volumes; volume++)
        {
            var count = Math.Min(VolumeArticles, articles - (volume * VolumeArticles));
            text.Append(
                CultureInfo.InvariantCulture,
                $" <file poster=\"{name[..8]} &lt;{name[..8]}@{name[8..14]}.com&gt;\" date=\"{date + volume}\" " +
                $"subject=\"[{volume + 1}/{volumes}] - &quot;{name}.part{volume + 1:D3}.rar&quot; yEnc (1/{count})\">\n  <groups>\n   " +
                $"<group>alt.binaries.misc</group>\n  </groups>\n  <segments>\n");
            for (var number = 1; number <= count; number++)
                text.Append(
                    CultureInfo.InvariantCulture,
                    $"   <segment bytes=\"{739_000 + random.Next(400)}\" " +
                    $"number=\"{number}\">{new string(random.GetItems<char>(Letters, 32))}@ngPost</segment>\n");
            text.Append("  </segments>\n </file>\n");
        }

        return Encoding.UTF8.GetBytes(text.Append("</nzb>\n").ToString());
    }
}

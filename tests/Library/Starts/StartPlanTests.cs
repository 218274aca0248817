using System.Buffers.Binary;
using System.Text;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Starts;
using NzbDav.Library.Tests.Media;

namespace NzbDav.Library.Tests.Starts;

/// <summary>
/// The pinned ranges of a file are those that ffprobe reads. Without ffmpeg only the synthetic files are tested; the others are skipped.
/// </summary>
public sealed class StartPlanTests : IDisposable
{
    private const int MiB = 1 << 20;
    private const int Noise = 24 * MiB;

    private readonly string _folder = Directory.CreateTempSubdirectory("nzbdav-starts-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static ValueTask<IReadOnlyList<ByteSpan>> PlanAsync(byte[] bytes, string name) =>
        StartPlan.ReadAsync(new MemoryContent(bytes), name, ReadIntent.Health, CancellationToken.None);

    [Theory]
    [InlineData("film.srt", 900_000)]
    [InlineData("film.NFO", 200_000)]
    [InlineData("whatever", 100_000)]
    public async Task Texts_and_small_files_are_pinned_whole(string name, int length) =>
        Assert.Equal([new ByteSpan(0, length)], await PlanAsync(SeededBytes.Make(1, length), name));

    [Fact]
    public async Task Unplayable_files_are_not_pinned() => Assert.Empty(await PlanAsync(SeededBytes.Make(1, 900_000), "archive.iso"));

    [Fact]
    public async Task The_index_at_the_end_of_an_MP4_is_pinned_but_not_its_data()
    {
        var film = (byte[])[.. Box("ftyp", 24), .. Box("free", 3 * MiB), .. Box("mdat", Noise), .. Box("moov", 700_000)];
        Assert.Equal([new ByteSpan(0, 128 << 10), new ByteSpan(3 * MiB, (5 * MiB) + (128 << 10)),
            new ByteSpan(27 * MiB, film.Length)], await PlanAsync(film, "a.mp4"));
    }

    [Fact]
    public async Task The_first_fragment_of_a_fragmented_film_is_pinned()
    {
        var film = (byte[])[.. Box("ftyp", 24), .. Box("moov", 3_000), .. Box("moof", 2_000), .. Box("mdat", Noise), .. Box("moof", 2_000),
            .. Box("mdat", Noise), .. Box("moof", 2_000), .. Box("mdat", Noise)];
        var ranges = await PlanAsync(film, "a.mp4");
        Assert.Equal([(0L, (2 * MiB) + (128 << 10)), (film.Length - (128 << 10) - ((film.Length - (128 << 10)) % (128 << 10)),
            film.Length)], ranges.Select(range => (range.Start, range.End)));
    }

    [Theory]
    [InlineData("a.mkv", "-map 0 -map 1 -c:v libx264 -g 12 -b:v 60M -minrate 60M -nal-hrd cbr -maxrate 60M -bufsize 8M -c:a aac",
        "\u001C\u0053\u00BB\u006B")]
    [InlineData("b.mp4", "-map 0 -map 1 -c:v libx264 -g 12 -b:v 60M -minrate 60M -nal-hrd cbr -maxrate 60M -bufsize 8M -c:a aac", "moov")]
    [InlineData("c.avi", "-map 0 -map 1 -c:v rawvideo -pix_fmt bgr24 -c:a libmp3lame", "idx1")]
    public async Task The_index_of_a_real_file_is_pinned(string name, string arguments, string mark)
    {
        if (!FFmpeg.IsThere)
            Needs.Skip("ffmpeg is not installed.");
        var path = Path.Combine(_folder, name);
        await FFmpeg.MakeAsync(path, arguments);

        // There is data between head and index, so their ranges do not touch.
        var bytes = await File.ReadAllBytesAsync(path);
        var at = bytes.AsSpan().LastIndexOf(Encoding.Latin1.GetBytes(mark));
        Assert.True(at > 4 * MiB, $"The index is at {at}.");
        var ranges = await PlanAsync(bytes, name);
        Assert.Equal(0, ranges[0].Start);
        Assert.Contains(ranges, range => range.Start <= at && range.End == bytes.Length);
    }

    [Theory]
    [InlineData("a.mkv", "-t 0.2 -map 0 -map 1 -c:v libx264 -c:a aac")]
    [InlineData("b.mp4", "-t 0.2 -map 0 -map 1 -c:v libx264 -c:a aac")]
    [InlineData("c.avi", "-t 0.2 -map 0 -map 1 -c:v mpeg4 -c:a libmp3lame")]
    public async Task With_a_damaged_head_the_pinned_ranges_stay_inside_the_file(string name, string arguments)
    {
        if (!FFmpeg.IsThere)
            Needs.Skip("ffmpeg is not installed.");
        var path = Path.Combine(_folder, name);
        await FFmpeg.MakeAsync(path, arguments);
        var bytes = (await File.ReadAllBytesAsync(path)).Concat(SeededBytes.Make(8, 400_000)).ToArray();
        for (var at = 0; at < 1_500; at++)
        {
            foreach (var value in (byte[])[0, 0x7F, 0x81, 0xFF])
            {
                var (was, place) = (bytes[at], at);
                bytes[place] = value;
                long end = -1;
                foreach (var range in await PlanAsync(bytes, name))
                {
                    Assert.True(range.Start > end && range.Length > 0 && range.End <= bytes.Length, $"{range} with {value:x2} at {at}");
                    end = range.End;
                }

                bytes[place] = was;
            }
        }
    }

    private static byte[] Box(string type, int size)
    {
        var box = SeededBytes.Make(size, size);
        BinaryPrimitives.WriteInt32BigEndian(box, size);
        Encoding.ASCII.GetBytes(type).CopyTo(box, 4);
        if (type == "ftyp")
            "isom"u8.CopyTo(box.AsSpan(8));
        return box;
    }
}

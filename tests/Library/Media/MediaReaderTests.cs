using System.Globalization;
using System.Text;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Media;

namespace NzbDav.Library.Tests.Media;

/// <summary>The reader finds in containers what ffprobe reports. Without ffmpeg its tests are skipped.</summary>
public sealed class MediaReaderTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("nzbdav-media-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(
        "a.mkv", "-map 0 -map 1 -map 2 -c:v libx264 -profile:v high -pix_fmt yuv420p -c:a:0 aac -c:a:1 ac3 -ac:a:1 6 -metadata:s:a:0 " +
        "language=eng -metadata:s:a:1 language=ger -disposition:a:1 0", "avc1.64000c", "mp4a.40.2", "ac-3")]
    [InlineData(
        "b.mkv", "-map 0 -map 1 -map 2 -c:v libx265 -pix_fmt yuv420p10le -x265-params log-level=none -c:a:0 eac3 -c:a:1 dca -strict -2",
        "hvc1.2.4.L60.90", "ec-3", "dts")]
    [InlineData("c.webm", "-map 0 -map 1 -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus", "vp9", "opus")]
    [InlineData("d.webm", "-map 0 -map 1 -c:v libvpx -deadline realtime -c:a libvorbis", "vp8", "vorbis")]
    [InlineData("e.mkv", "-map 0 -map 1 -map 2 -c:v libsvtav1 -preset 12 -svtav1-params tune=0 -c:a:0 flac -c:a:1 truehd -strict -2",
        "av01.0.00M.08", "flac", "mlpa")]
    [InlineData(
        "f.mp4", "-map 0 -map 1 -map 2 -c:v libx264 -profile:v baseline -pix_fmt yuv420p -c:a:0 aac -c:a:1 ac3 -metadata:s:a:1 " +
        "language=fra", "avc1.42c00c", "mp4a.40.2", "ac-3")]
    [InlineData("g.mp4", "-map 0 -map 1 -c:v libx264 -profile:v main -pix_fmt yuv420p -c:a libmp3lame -movflags +faststart", "avc1.4d400c",
        "mp4a.6b")]
    [InlineData(
        "h.mp4", "-map 0 -map 1 -map 2 -c:v libx265 -tag:v hvc1 -pix_fmt yuv420p -x265-params log-level=none -c:a:0 eac3 -c:a:1 libopus",
        "hvc1.1.6.L60.90", "ec-3", "opus")]
    [InlineData("i.mp4", "-map 0 -map 1 -c:v libsvtav1 -preset 12 -c:a flac -strict -2", "av01.0.00M.08", "flac")]
    [InlineData("j.mov", "-map 0 -map 1 -c:v mpeg4 -c:a pcm_s16le", "mp4v.20.1", "pcm")]
    [InlineData(
        "k.mp4", "-map 0 -map 1 -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -pix_fmt yuv420p -c:a aac", "vp09.00.11.08", "mp4a.40.2")]
    [InlineData(
        "l.mp4", "-map 0 -map 1 -c:v libx264 -profile:v high -pix_fmt yuv420p -c:a aac -movflags " +
        "frag_keyframe+empty_moov+default_base_moof", "avc1.64000c", "mp4a.40.2")]
    [InlineData("m.avi", "-map 0 -map 1 -c:v mpeg4 -vtag XVID -c:a libmp3lame", "mp4v.20", "mp3")]
    [InlineData("n.ts", "-map 0 -map 1 -map 2 -c:v libx264 -pix_fmt yuv420p -c:a:0 aac -c:a:1 ac3 -metadata:s:a:0 language=eng", "avc1",
        "mp4a.40.2", "ac-3")]
    [InlineData("o.m2ts", "-map 0 -map 1 -c:v libx264 -pix_fmt yuv420p -c:a ac3", "avc1", "ac-3")]
    [InlineData("p.m4a", "-map 1 -c:a aac", "mp4a.40.2")]
    [InlineData("q.mka", "-map 1 -c:a libopus", "opus")]
    public async Task Reads_what_ffprobe_reads(string name, string arguments, params string[] codecs)
    {
        if (!FFmpeg.IsThere)
            Needs.Skip("ffmpeg is not installed.");
        var path = Path.Combine(_folder, name);
        await FFmpeg.MakeAsync(path, arguments);
        var probe = await FFmpeg.ProbeAsync(path);

        var info = await MediaReader.ReadAsync(new MemoryContent(await File.ReadAllBytesAsync(path)), CancellationToken.None);

        Assert.Null(info.Reason);
        Assert.Equal(codecs, info.Tracks.Select(track => track.Codec));
        var streams = probe.GetProperty("streams").EnumerateArray().ToArray();
        Assert.Equal(streams.Length, info.Tracks.Count);
        var hasSizes = name is not ("n.ts" or "o.m2ts");
        foreach (var (stream, track) in streams.Zip(info.Tracks))
        {
            Assert.Equal(stream.GetProperty("codec_type").GetString(), track.Kind.ToString().ToLowerInvariant());
            if (track.Kind == TrackKind.Video && hasSizes)
                Assert.Equal(
                    (stream.GetProperty("width").GetInt32(), stream.GetProperty("height").GetInt32()), (track.Width, track.Height));
            if (name.EndsWith(".mkv", StringComparison.Ordinal))
                Assert.Equal(stream.GetProperty("disposition").GetProperty("default").GetInt32() == 1, track.IsDefault);

            // MP4 does not state the number of channels of MP3.
            if (track.Kind == TrackKind.Audio && hasSizes && name != "g.mp4")
                Assert.Equal(stream.GetProperty("channels").GetInt32(), track.Channels);
            var language = stream.TryGetProperty("tags", out var tags) && tags.TryGetProperty("language", out var tag)
                ? tag.GetString() : null;

            // Matroska without a language means English by its standard; ffprobe reports none.
            if (language is not (null or "und"))
                Assert.Equal(language, track.Language);
        }

        var seconds = double.Parse(probe.GetProperty("format").GetProperty("duration").GetString()!, CultureInfo.InvariantCulture);
        if (hasSizes && name != "l.mp4")
            Assert.Equal(seconds, info.Duration!.Value.TotalSeconds, 0.05);
        Assert.Contains($"codecs=\"{string.Join(", ", codecs.Take(2))}\"", info.Mime!, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_media_type_names_the_first_playable_tracks()
    {
        if (!FFmpeg.IsThere)
            Needs.Skip("ffmpeg is not installed.");
        var path = Path.Combine(_folder, "x.mkv");
        await FFmpeg.MakeAsync(
            path, "-map 0 -map 1 -map 2 -c:v libx264 -pix_fmt yuv420p -profile:v high -c:a:0 ac3 -c:a:1 aac -disposition:a:0 0 " +
            "-disposition:a:1 default");
        var info = await MediaReader.ReadAsync(new MemoryContent(await File.ReadAllBytesAsync(path)), CancellationToken.None);
        Assert.Equal("video/x-matroska; codecs=\"avc1.64000c, mp4a.40.2\"", info.Mime);
        Assert.Equal([false, false, true], info.Tracks.Select(track => track.IsDefault));
    }

    [Fact]
    public async Task Reads_subtitles_of_mkv_and_mp4()
    {
        if (!FFmpeg.IsThere)
            Needs.Skip("ffmpeg is not installed.");
        var srt = Path.Combine(_folder, "s.srt");
        await File.WriteAllTextAsync(srt, "1\n00:00:00,100 --> 00:00:01,000\nHello\n");
        await FFmpeg.MakeAsync(Path.Combine(_folder, "s.mkv"),
            $"-i {srt} -map 0 -map 3 -map 3 -c:v libx264 -c:s:0 srt -c:s:1 ass -metadata:s:s:0 language=fre");
        await FFmpeg.MakeAsync(
            Path.Combine(_folder, "s.mp4"), $"-i {srt} -map 0 -map 3 -c:v libx264 -c:s mov_text -metadata:s:s:0 language=fre");
        var mkv = await MediaReader.ReadAsync(
            new MemoryContent(await File.ReadAllBytesAsync(Path.Combine(_folder, "s.mkv"))), CancellationToken.None);
        Assert.Equal(["SubRip", "ASS"], mkv.Tracks.Where(track => track.Kind == TrackKind.Subtitle).Select(track => track.Name));
        var mp4 = await MediaReader.ReadAsync(
            new MemoryContent(await File.ReadAllBytesAsync(Path.Combine(_folder, "s.mp4"))), CancellationToken.None);
        Assert.Equal(("Timed text", "fre"),
            mp4.Tracks.Where(track => track.Kind == TrackKind.Subtitle).Select(track => (track.Name, track.Language!)).Single());
    }

    [Theory]
    [InlineData("a.mkv", "-map 0 -map 1 -c:v libx264 -g 1 -b:v 3M -c:a aac", 30)]
    [InlineData("b.mp4", "-map 0 -map 1 -c:v libx264 -g 1 -b:v 3M -c:a aac", 30)]
    public async Task Reads_a_small_part_of_the_file(string name, string arguments, int mostPercent)
    {
        if (!FFmpeg.IsThere)
            Needs.Skip("ffmpeg is not installed.");
        var path = Path.Combine(_folder, name);
        await FFmpeg.MakeAsync(path, arguments);
        var content = new MemoryContent(await File.ReadAllBytesAsync(path), segmentSize: 8 << 10);
        Assert.Equal(2, (await MediaReader.ReadAsync(content, CancellationToken.None)).Tracks.Count);
        Assert.InRange(content.BytesLent, 1, content.Length * mostPercent / 100);
    }

    [Theory]
    [InlineData("a.mkv", "-t 0.2 -map 0 -map 1 -c:v libx264 -c:a aac")]
    [InlineData("b.mp4", "-t 0.2 -map 0 -map 1 -c:v libx265 -x265-params log-level=none -c:a ac3 -movflags +faststart")]
    [InlineData("c.avi", "-t 0.2 -map 0 -map 1 -c:v mpeg4 -c:a libmp3lame")]
    [InlineData("d.ts", "-t 0.2 -map 0 -map 1 -c:v mpeg2video -c:a ac3")]
    public async Task Truncated_and_damaged_files_throw_no_exception(string name, string arguments)
    {
        if (!FFmpeg.IsThere)
            Needs.Skip("ffmpeg is not installed.");
        var path = Path.Combine(_folder, name);
        await FFmpeg.MakeAsync(path, arguments);
        var bytes = (await File.ReadAllBytesAsync(path))[..Math.Min((int)new FileInfo(path).Length, 6_000)];
        for (var length = 0; length <= bytes.Length; length++)
            await MediaReader.ReadAsync(new MemoryContent(bytes[..length]), CancellationToken.None);
        for (var at = 0; at < Math.Min(bytes.Length, 3_000); at++)
        {
            foreach (var value in (byte[])[0, 0x7F, 0xFF])
            {
                var damaged = bytes.ToArray();
                damaged[at] = value;
                await MediaReader.ReadAsync(new MemoryContent(damaged), CancellationToken.None);
            }
        }
    }

    [Fact]
    public async Task Circular_headers_terminate()
    {
        // A SeekHead that refers to itself, and boxes of zero length.
        byte[] matroska = [0x1A, 0x45, 0xDF, 0xA3, 0x80, 0x18, 0x53, 0x80, 0x67, 0xFF, 0x11, 0x4D, 0x9B, 0x74, 0x8D, 0x4D, 0xBB, 0x8A, 0x53,
            0xAB, 0x84, 0x16, 0x54, 0xAE, 0x6B, 0x53, 0xAC, 0x80, 0x1F, 0x43, 0xB6, 0x75, 0x80];
        var info = await MediaReader.ReadAsync(new MemoryContent(matroska), CancellationToken.None);
        Assert.Equal(("Matroska", 0), (info.Container, info.Tracks.Count));
        Assert.NotNull(info.Reason);

        var boxes = Encoding.ASCII.GetBytes("\0\0\0\u0010ftypisom\0\0\0\0")
            .Concat(Enumerable.Repeat("\0\0\0\bfree"u8.ToArray(), 5_000).SelectMany(box => box)).ToArray();
        info = await MediaReader.ReadAsync(new MemoryContent(boxes), CancellationToken.None);
        Assert.Equal("MP4", info.Container);
        Assert.NotNull(info.Reason);
    }

    [Fact]
    public async Task Bytes_of_no_known_container_are_reported()
    {
        var info = await MediaReader.ReadAsync(new MemoryContent(SeededBytes.Make(9, 5_000)), CancellationToken.None);
        Assert.Equal((null, null), (info.Container, info.Mime));
        Assert.NotNull(info.Reason);
    }

    [Fact]
    public async Task Unavailable_bytes_throw_an_exception()
    {
        var content = new MemoryContent(SeededBytes.Make(9, 5_000));
        content.FailAt(0, ContentFault.Missing);
        await Assert.ThrowsAsync<ContentException>(() => MediaReader.ReadAsync(content, CancellationToken.None).AsTask());
    }
}

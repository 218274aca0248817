namespace NzbDav.Library.Media;

/// <summary>Reads the tracks of an AVI file from its first list. Pure.</summary>
internal static class RiffTracks
{
    private const int MostTracks = 32;

    /// <param name="head">The file from its beginning on.</param>
    public static MediaInfo Read(ReadOnlySpan<byte> head)
    {
        const string Container = "AVI";
        const string Type = "video/x-msvideo";
        TimeSpan? duration = null;
        var tracks = new List<MediaTrack>();
        var rest = head.Length > 12 ? head[12..] : default;
        if (!TryChunk(ref rest, out var id, out var list) || id != "LIST" || Bits.FourCc(list, 0) != "hdrl")
            return new MediaInfo(Container, Type, null, [], "The file's list of streams is missing or damaged.");
        list = list[4..];
        while (tracks.Count < MostTracks && TryChunk(ref list, out id, out var chunk))
        {
            if (id == "avih")
                duration = Bits.Duration((double)Bits.L32(chunk, 0) * Bits.L32(chunk, 16), 1e6);
            else if (id == "LIST" && Bits.FourCc(chunk, 0) == "strl" && Stream(chunk[4..]) is { } track)
                tracks.Add(track);
        }

        return new MediaInfo(Container, Type, duration, tracks);
    }

    /// <summary>The codec of a video FourCC.</summary>
    public static (string? Codec, string Name) VideoCodec(string fourCc) => fourCc.ToUpperInvariant() switch
    {
        "H264" or "X264" or "AVC1" or "DAVC" => ("avc1", "H.264"),
        "HEVC" or "H265" or "X265" or "HVC1" => ("hvc1", "HEVC"),
        "XVID" or "DIVX" or "DX50" or "FMP4" or "MP4V" or "DIV5" => ("mp4v.20", "MPEG-4"),
        "DIV3" or "DIV4" or "MP43" or "MP42" => ((string?)null, "MS MPEG-4"),
        "MJPG" => ("mjpeg", "Motion JPEG"),
        "WVC1" or "WMV3" => ((string?)null, "VC-1"),
        "MPG2" or "MPEG" => ("mp4v.61", "MPEG-2"),
        "VP80" => ("vp8", "VP8"),
        "VP90" => ("vp9", "VP9"),
        "AV01" => ("av01", "AV1"),
        "" => (null, "?"),
        _ => (null, fourCc),
    };

    /// <summary>The codec of a WAVE format number (RFC 2361).</summary>
    public static (string? Codec, string Name) AudioCodec(int format) => format switch
    {
        0x0001 or 0x0003 or 0xFFFE => ("pcm", "PCM"),
        0x0050 => ("mp4a.6b", "MP2"),
        0x0055 => ("mp3", "MP3"),
        0x00FF or 0x1600 or 0x1610 or 0x706D => ("mp4a.40.2", "AAC"),
        0x0160 or 0x0161 or 0x0162 => (null, "WMA"),
        0x2000 => ("ac-3", "Dolby Digital"),
        0x2001 => ("dts", "DTS"),
        0xF1AC => ("flac", "FLAC"),
        _ => (null, FormattableString.Invariant($"0x{format:X4}")),
    };

    private static MediaTrack? Stream(ReadOnlySpan<byte> list)
    {
        string kind = "", handler = "";
        while (TryChunk(ref list, out var id, out var chunk))
        {
            if (id == "strh")
            {
                (kind, handler) = (Bits.FourCc(chunk, 0), Bits.FourCc(chunk, 4));
            }
            else if (id == "strf" && kind == "vids")
            {
                var (codec, name) = VideoCodec(Bits.FourCc(chunk, 16) is { Length: > 0 } own && own != "????" ? own : handler);
                int width = (int)Math.Min(100_000, Bits.L32(chunk, 4)),
                    height = (int)Math.Min(100_000, Math.Abs((long)(int)Bits.L32(chunk, 8)));
                return new MediaTrack(TrackKind.Video, codec, name, Width: width > 0 ? width : null, Height: height > 0 ? height : null);
            }
            else if (id == "strf" && kind == "auds")
            {
                var (codec, name) = AudioCodec(Bits.L16(chunk, 0));
                return new MediaTrack(
                    TrackKind.Audio, codec, name, Channels: Bits.L16(chunk, 2) is > 0 and <= 64 and var channels ? channels : null);
            }
        }

        return kind == "txts" ? new MediaTrack(TrackKind.Subtitle, null, "Text") : null;
    }

    /// <summary>Removes the next chunk: id, size, data, padded to an even length. A truncated chunk yields the data that is left.</summary>
    private static bool TryChunk(scoped ref ReadOnlySpan<byte> rest, out string id, out ReadOnlySpan<byte> data)
    {
        id = "";
        data = default;
        if (rest.Length < 8)
            return false;
        id = Bits.FourCc(rest, 0);
        long size = Bits.L32(rest, 4);
        data = rest.Slice(8, (int)Math.Min(size, rest.Length - 8));
        rest = rest[(int)Math.Min(rest.Length, 8 + size + (size & 1))..];
        return true;
    }
}

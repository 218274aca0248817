using System.Globalization;

namespace NzbDav.Library.Media;

/// <summary>Tracks and times of Matroska and WebM (RFC 9559, 5.1.2 and 5.1.4). Pure.</summary>
internal static class MatroskaTracks
{
    private const int MostTracks = 200;

    /// <summary>Reads the data of a Tracks element.</summary>
    public static List<MediaTrack> Read(ReadOnlySpan<byte> tracks)
    {
        var found = new List<MediaTrack>();
        while (found.Count < MostTracks && Ebml.TryNext(ref tracks, out var id, out var entry))
        {
            if (id == 0xAE && Track(entry) is { } track)
                found.Add(track);
        }

        return found;
    }

    /// <summary>The duration from the data of an Info element.</summary>
    public static TimeSpan? Duration(ReadOnlySpan<byte> info)
    {
        // "default: 1000000" nanoseconds
        ulong scale = 1_000_000;
        double duration = 0;
        while (Ebml.TryNext(ref info, out var id, out var data))
        {
            if (id == 0x2AD7B1)
                scale = Ebml.Unsigned(data);
            else if (id == 0x4489)
                duration = Ebml.Float(data);
        }

        return Bits.Duration(duration * scale, 1e9);
    }

    private static MediaTrack? Track(ReadOnlySpan<byte> entry)
    {
        ulong type = 0;
        var codec = "";
        ReadOnlySpan<byte> config = default, video = default, audio = default;
        string? language = "eng", tag = null;
        bool isDefault = true, isPacked = false;
        while (Ebml.TryNext(ref entry, out var id, out var data))
        {
            switch (id)
            {
                case 0x83: type = Ebml.Unsigned(data); break;
                case 0x86: codec = Bits.Text(data) ?? ""; break;
                case 0x63A2: config = data; break;
                case 0x88: isDefault = Ebml.Unsigned(data) != 0; break;
                case 0x22B59C: language = Bits.Text(data); break;
                case 0x22B59D: tag = Bits.Text(data); break;
                case 0xE0: video = data; break;
                case 0xE1: audio = data; break;
                case 0x6D80: isPacked = PacksConfig(data); break;
            }
        }

        if (isPacked)
            config = default;
        language = tag ?? (language == "und" ? null : language);
        return type switch
        {
            1 => Video(codec, config, video) with { Language = language, IsDefault = isDefault },
            2 => Audio(codec, config, audio) with { Language = language, IsDefault = isDefault },
            17 => new MediaTrack(TrackKind.Subtitle, null, SubtitleName(codec), language, IsDefault: isDefault),
            _ => null,
        };
    }

    private static MediaTrack Video(string id, ReadOnlySpan<byte> config, ReadOnlySpan<byte> video)
    {
        int? width = null, height = null;
        while (Ebml.TryNext(ref video, out var field, out var data))
        {
            if (field == 0xB0)
                width = Number(data);
            else if (field == 0xBA)
                height = Number(data);
        }

        var (codec, name) = id switch
        {
            "V_MPEG4/ISO/AVC" => (Codecs.Avc(config), "H.264"),
            "V_MPEGH/ISO/HEVC" => (Codecs.Hevc(config), "HEVC"),
            "V_AV1" => (Codecs.Av1(config), "AV1"),
            "V_VP9" => (Codecs.Vp9(config), "VP9"),
            "V_VP8" => ("vp8", "VP8"),
            "V_MPEG2" => ("mp4v.61", "MPEG-2"),
            "V_MPEG1" => ("mp4v.6a", "MPEG-1"),
            "V_MPEG4/ISO/SP" or "V_MPEG4/ISO/ASP" or "V_MPEG4/ISO/AP" => ("mp4v.20", "MPEG-4"),
            "V_THEORA" => ("theora", "Theora"),
            "V_MS/VFW/FOURCC" => RiffTracks.VideoCodec(Bits.FourCc(config, 16)),
            _ => ((string?)null, Plain(id)),
        };
        return new MediaTrack(TrackKind.Video, codec, name, Width: width, Height: height);
    }

    private static MediaTrack Audio(string id, ReadOnlySpan<byte> config, ReadOnlySpan<byte> audio)
    {
        // "default: 1"
        int? channels = 1;
        while (Ebml.TryNext(ref audio, out var field, out var data))
        {
            if (field == 0x9F)
                channels = Number(data);
        }

        var (codec, name) = id switch
        {
            "A_AAC" => (Codecs.Aac(config), "AAC"),
            _ when id.StartsWith("A_AAC/", StringComparison.Ordinal) =>
                (id.EndsWith("/SBR", StringComparison.Ordinal) ? "mp4a.40.5" : "mp4a.40.2", "AAC"),
            _ when id.StartsWith("A_AC3", StringComparison.Ordinal) => ("ac-3", "Dolby Digital"),
            "A_EAC3" => ("ec-3", "Dolby Digital Plus"),
            "A_TRUEHD" or "A_MLP" => ("mlpa", "Dolby TrueHD"),
            _ when id.StartsWith("A_DTS", StringComparison.Ordinal) => ("dts", "DTS"),
            "A_OPUS" or "A_OPUS/EXPERIMENTAL" => ("opus", "Opus"),
            "A_VORBIS" => ("vorbis", "Vorbis"),
            "A_FLAC" => ("flac", "FLAC"),
            "A_MPEG/L3" => ("mp3", "MP3"),
            "A_MPEG/L2" => ("mp4a.6b", "MP2"),
            "A_ALAC" => ("alac", "ALAC"),
            _ when id.StartsWith("A_PCM/", StringComparison.Ordinal) => ("pcm", "PCM"),
            "A_MS/ACM" => RiffTracks.AudioCodec(Bits.L16(config, 0)),
            _ => ((string?)null, Plain(id)),
        };
        return new MediaTrack(TrackKind.Audio, codec, name, Channels: channels);
    }

    private static string SubtitleName(string id) => id switch
    {
        "S_TEXT/UTF8" => "SubRip",
        "S_TEXT/ASS" or "S_ASS" => "ASS",
        "S_TEXT/SSA" or "S_SSA" => "SSA",
        "S_TEXT/WEBVTT" or "D_WEBVTT/SUBTITLES" => "WebVTT",
        "S_HDMV/PGS" => "PGS",
        "S_HDMV/TEXTST" => "TextST",
        "S_VOBSUB" => "VobSub",
        "S_DVBSUB" => "DVB",
        _ => Plain(id),
    };

    // ContentEncodings: scope 2 means that the CodecPrivate is compressed too.
    private static bool PacksConfig(ReadOnlySpan<byte> encodings)
    {
        while (Ebml.TryNext(ref encodings, out var id, out var encoding))
        {
            while (id == 0x6240 && Ebml.TryNext(ref encoding, out var field, out var data))
            {
                if (field == 0x5032 && (Ebml.Unsigned(data) & 2) != 0)
                    return true;
            }
        }

        return false;
    }

    private static int? Number(ReadOnlySpan<byte> data) => Ebml.Unsigned(data) is > 0 and <= 100_000 and var number ? (int)number : null;

    private static string Plain(string id) =>
        id.Length == 0 ? "?" : id.Length > 2 && id[1] == '_' ? id[2..].ToUpper(CultureInfo.InvariantCulture) : id;
}

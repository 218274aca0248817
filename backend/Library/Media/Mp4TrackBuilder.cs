using System.Globalization;

namespace NzbDav.Library.Media;

/// <summary>Collects the description of an MP4 track from its boxes, one by one.</summary>
internal sealed class Mp4TrackBuilder
{
    private bool _isEnabled = true;
    private string _handler = "";
    private string? _language;
    private MediaTrack? _track;

    /// <summary>The track's own duration; null: not stated.</summary>
    public TimeSpan? Duration { get; private set; }

    /// <summary>Adds the data of a box inside <c>trak</c>.</summary>
    public void Add(string type, ReadOnlySpan<byte> data)
    {
        switch (type)
        {
            case "tkhd":
                // "flags: track_enabled 0x000001"
                _isEnabled = (Bits.U8(data, 3) & 1) != 0;
                break;
            case "mdhd":
                var isLong = Bits.U8(data, 0) == 1;
                Duration = isLong ? Bits.Duration(Bits.U64(data, 24), Bits.U32(data, 20)) : Bits.U32(data, 16) == uint.MaxValue
                    ? null : Bits.Duration(Bits.U32(data, 16), Bits.U32(data, 12));
                _language = Language(Bits.U16(data, isLong ? 32 : 20));
                break;
            case "hdlr":
                // QuickTime has a second hdlr further inside, for the data handler.
                if (_handler.Length == 0)
                    _handler = Bits.FourCc(data, 8);
                break;
            case "stsd":
                // Version and flags, a count, then the entries. The first entry applies at the beginning of the track.
                var entries = data.Length > 8 ? data[8..] : default;
                if (Mp4Box.TryRead(entries) is { } entry)
                    _track = Entry(entry.Type, entries[..(int)Math.Min(entries.Length, entry.Size == 0 ? entries.Length : entry.Size)]);
                break;
        }
    }

    /// <summary>The track; null if it is not video, audio or subtitles.</summary>
    public MediaTrack? Build() => _track is null ? null : _track with { Language = _language, IsDefault = _isEnabled };

    private MediaTrack? Entry(string type, ReadOnlySpan<byte> entry) => _handler switch
    {
        "vide" => Video(type, entry),
        "soun" => Audio(type, entry),
        "sbtl" or "subt" or "text" or "clcp" => new MediaTrack(TrackKind.Subtitle, null, type switch
        { "tx3g" or "text" => "Timed text", "wvtt" => "WebVTT", "stpp" => "TTML", "c608" or "c708" => "Closed captions", _ => type }),
        "subp" => new MediaTrack(TrackKind.Subtitle, null, "VobSub"),
        _ => null,
    };

    // VisualSampleEntry: 86 bytes, then boxes.
    private static MediaTrack Video(string type, ReadOnlySpan<byte> entry)
    {
        var boxes = entry.Length > 86 ? entry[86..] : default;
        if (type == "encv")
            type = Original(boxes) ?? type;
        var (codec, name) = type switch
        {
            "avc1" or "avc3" => (Codecs.Avc(Child(boxes, "avcC"), type), "H.264"),
            "hvc1" or "hev1" => (Codecs.Hevc(Child(boxes, "hvcC"), type), "HEVC"),
            "dvh1" or "dvhe" or "dva1" or "dvav" => (Codecs.DolbyVision(FirstOf(boxes, "dvcC", "dvvC"), type), "Dolby Vision"),
            "av01" => (Codecs.Av1(Child(boxes, "av1C")), "AV1"),
            "vp09" or "vp08" => (Codecs.Vp(Child(boxes, "vpcC"), type), type == "vp09" ? "VP9" : "VP8"),
            "mp4v" => (ElementaryStream(Child(boxes, "esds"), "mp4v") ?? "mp4v.20", "MPEG-4"),
            "jpeg" or "mjpa" or "mjpb" => ("mjpeg", "Motion JPEG"),
            "apch" or "apcn" or "apcs" or "apco" or "ap4h" or "ap4x" => (type, "ProRes"),
            _ => ((string?)null, type),
        };
        int width = Bits.U16(entry, 32), height = Bits.U16(entry, 34);
        return new MediaTrack(TrackKind.Video, codec, name, Width: width > 0 ? width : null, Height: height > 0 ? height : null);
    }

    // AudioSampleEntry: 36 bytes, then boxes; QuickTime's versions 1 and 2 have 16 and 36 more.
    private static MediaTrack Audio(string type, ReadOnlySpan<byte> entry)
    {
        var version = Bits.U16(entry, 16);
        int channels = version == 2 ? (int)Math.Min(64, Bits.U32(entry, 48)) : Bits.U16(entry, 24);
        var start = version switch { 1 => 52, 2 => 72, _ => 36 };
        var boxes = entry.Length > start ? entry[start..] : default;
        if (type == "enca")
            type = Original(boxes) ?? type;
        var (codec, name) = type switch
        {
            "mp4a" => (ElementaryStream(FirstOf(boxes, "esds", "wave"), "mp4a") ?? "mp4a.40.2", "AAC"),
            "ac-3" => ("ac-3", "Dolby Digital"),
            "ec-3" => ("ec-3", "Dolby Digital Plus"),
            "ac-4" => ("ac-4", "Dolby AC-4"),
            "mlpa" => ("mlpa", "Dolby TrueHD"),
            "dtsc" or "dtsh" or "dtsl" or "dtse" or "dtsx" => ("dts", "DTS"),
            "Opus" => ("opus", "Opus"),
            "fLaC" => ("flac", "FLAC"),
            "alac" => ("alac", "ALAC"),
            ".mp3" => ("mp3", "MP3"),
            "sowt" or "twos" or "lpcm" or "ipcm" or "fpcm" or "in24" or "raw " => ("pcm", "PCM"),
            _ => ((string?)null, type),
        };
        if (codec is "mp4a.6b" or "mp4a.69")
            name = "MP3";

        // Sample entries often say 2 channels; the codec's own box is right.
        channels = type switch
        {
            "mp4a" when codec == "mp4a.40.2" => AacChannels(DecoderConfig(FirstOf(boxes, "esds", "wave"))) ?? channels,
            "ac-3" when Child(boxes, "dac3") is { Length: >= 2 } own => DolbyChannels(own[1] >> 3, own[1] >> 2),
            "ec-3" when Child(boxes, "dec3") is { Length: >= 4 } own => DolbyChannels(own[3] >> 1, own[3]),
            "Opus" when Child(boxes, "dOps") is { Length: >= 2 } own => own[1],
            _ => channels,
        };
        return new MediaTrack(TrackKind.Audio, codec, name, Channels: channels is > 0 and <= 64 ? channels : null);
    }

    // ISO/IEC 14496-3, 1.6.2.1: five bits of object type, four of frequency, four of channel configuration; 7 stands for 8 channels.
    private static int? AacChannels(ReadOnlySpan<byte> config)
    {
        var mode = (Bits.U8(config, 1) >> 3) & 15;
        return mode is 0 or > 7 ? null : mode == 7 ? 8 : mode;
    }

    // ETSI TS 102 366, 4.4.2.3: channels by acmod, plus lfeon.
    private static int DolbyChannels(int mode, int hasLow) => ((ReadOnlySpan<int>)[2, 1, 2, 3, 3, 4, 4, 5])[mode & 7] + (hasLow & 1);

    private static string? Original(ReadOnlySpan<byte> boxes) =>
        Child(Child(boxes, "sinf"), "frma") is { Length: >= 4 } format ? Bits.FourCc(format, 0) : null;

    private static ReadOnlySpan<byte> FirstOf(ReadOnlySpan<byte> boxes, string one, string other) =>
        Child(boxes, one) is { IsEmpty: false } found ? found : Child(boxes, other);

    private static ReadOnlySpan<byte> Child(ReadOnlySpan<byte> boxes, string wanted)
    {
        while (Mp4Box.TryNext(ref boxes, out var type, out var data))
        {
            if (type == wanted)
                return data;
        }

        return default;
    }

    private static string? ElementaryStream(ReadOnlySpan<byte> box, string entry)
    {
        if (!TryDecoder(box, out var type, out var config))
            return null;
        if (type == 0x40)
            return Codecs.Aac(config);
        if (type == 0x20 && config.Length >= 5 && config.StartsWith((ReadOnlySpan<byte>)[0, 0, 1, 0xB0]))
            return string.Create(CultureInfo.InvariantCulture, $"{entry}.20.{config[4]}");
        return string.Create(CultureInfo.InvariantCulture, $"{entry}.{type:x2}");
    }

    private static ReadOnlySpan<byte> DecoderConfig(ReadOnlySpan<byte> box) => TryDecoder(box, out _, out var config) ? config : default;

    // ISO/IEC 14496-1, 7.2.6: descriptors with a tag and a length of seven bits per byte. Tag 3 is the stream, 4 its decoder configuration,
    // 5 the decoder-specific data.
    private static bool TryDecoder(ReadOnlySpan<byte> box, out byte type, out ReadOnlySpan<byte> config)
    {
        type = 0;
        config = default;

        // QuickTime has it inside "wave".
        if (box.Length >= 8 && Child(box, "esds") is { IsEmpty: false } inner)
            box = inner;
        var rest = box.Length > 4 ? box[4..] : default;
        if (!TryDescriptor(ref rest, out var tag, out var stream) || tag != 3 || stream.Length < 3)
            return false;
        var flags = stream[2];
        var skip = 3 + ((flags & 0x80) != 0 ? 2 : 0) + ((flags & 0x40) != 0 ? 1 + Bits.U8(stream, 3 + ((flags & 0x80) != 0 ? 2 : 0)) : 0)
            + ((flags & 0x20) != 0 ? 2 : 0);
        stream = stream.Length > skip ? stream[skip..] : default;
        if (!TryDescriptor(ref stream, out tag, out var decoder) || tag != 4 || decoder.Length < 13)
            return false;
        type = decoder[0];
        var specific = decoder[13..];
        if (TryDescriptor(ref specific, out tag, out var found) && tag == 5)
            config = found;
        return true;
    }

    private static bool TryDescriptor(scoped ref ReadOnlySpan<byte> rest, out int tag, out ReadOnlySpan<byte> data)
    {
        tag = 0;
        data = default;
        if (rest.IsEmpty)
            return false;
        tag = rest[0];
        int at = 1, length = 0;
        while (at < rest.Length && at <= 4)
        {
            length = (length << 7) | (rest[at] & 0x7F);
            if ((rest[at++] & 0x80) == 0)
                break;
        }

        // Keep the rest of a truncated descriptor: every later field is bounds-checked.
        length = Math.Min(length, rest.Length - at);
        data = rest.Slice(at, length);
        rest = rest[(at + length)..];
        return true;
    }

    // Three letters of five bits each, starting at 0x60; values below 0x400 are QuickTime's old language numbers.
    private static string? Language(ushort packed)
    {
        if (packed < 0x400 || packed == 0x7FFF)
            return null;
        string language = new([(char)(((packed >> 10) & 31) + 0x60), (char)(((packed >> 5) & 31) + 0x60), (char)((packed & 31) + 0x60)]);
        return language == "und" || !language.All(char.IsAsciiLetterLower) ? null : language;
    }
}

namespace NzbDav.Library.Media;

/// <summary>
/// Reads the streams of an MPEG transport stream from the table of its first program (ISO/IEC 13818-1, 2.4.4). Pure. The tables do not
/// state the duration.
/// </summary>
internal static class TransportTracks
{
    /// <summary>Bytes to read: enough for the tables, which are sent ten times a second.</summary>
    public const int Head = 512 << 10;

    private const int Packet = 188;
    private const byte Sync = 0x47;

    /// <summary>
    /// Distance of the packets in bytes: 188, or 192 on Blu-rays with a time stamp of four before each; null if it is not a transport
    /// stream.
    /// </summary>
    public static int? PacketSize(ReadOnlySpan<byte> head) =>
        Is(head, 0, Packet) ? Packet : Is(head, 4, Packet + 4) ? Packet + 4 : null;

    /// <param name="head">The first <see cref="Head"/> bytes of the file.</param>
    /// <param name="size">See <see cref="PacketSize"/>.</param>
    public static MediaInfo Read(ReadOnlySpan<byte> head, int size)
    {
        const string Type = "video/mp2t";
        var table = -1;
        for (var at = size - Packet; at + Packet <= head.Length; at += size)
        {
            var packet = head.Slice(at, Packet);
            var pid = Bits.U16(packet, 1) & 0x1FFF;

            // A section begins in this packet, after an adaptation field if there is one.
            if (packet[0] != Sync || (packet[1] & 0x40) == 0 || (packet[3] & 0x10) == 0 || (pid != 0 && pid != table))
                continue;
            var start = (packet[3] & 0x20) != 0 ? 5 + packet[4] : 4;
            start += 1 + Bits.U8(packet, start);
            var section = start < Packet ? packet[start..] : default;
            if (pid == 0 && Bits.U8(section, 0) == 0)
                table = FirstProgram(section);
            else if (pid == table && Bits.U8(section, 0) == 2)
                return new MediaInfo("MPEG-TS", Type, null, Streams(section));
        }

        return new MediaInfo("MPEG-TS", Type, null, [], "The stream's tables are not at its beginning.");
    }

    private static int FirstProgram(ReadOnlySpan<byte> section)
    {
        var end = Math.Min(section.Length, 3 + (Bits.U16(section, 1) & 0xFFF) - 4);
        for (var at = 8; at + 4 <= end; at += 4)
        {
            if (Bits.U16(section, at) != 0)
                return Bits.U16(section, at + 2) & 0x1FFF;
        }

        return -1;
    }

    private static List<MediaTrack> Streams(ReadOnlySpan<byte> section)
    {
        var tracks = new List<MediaTrack>();
        var end = Math.Min(section.Length, 3 + (Bits.U16(section, 1) & 0xFFF) - 4);
        for (var at = 12 + (Bits.U16(section, 10) & 0xFFF); at + 5 <= end;)
        {
            var length = Bits.U16(section, at + 3) & 0xFFF;
            var descriptors = section[(at + 5)..Math.Min(end, at + 5 + length)];
            if (Track(section[at], descriptors) is { } track)
                tracks.Add(track with { Language = LanguageIn(descriptors) });
            at += 5 + length;
        }

        return tracks;
    }

    private static MediaTrack? Track(byte type, ReadOnlySpan<byte> descriptors) => type switch
    {
        0x01 => new(TrackKind.Video, "mp4v.6a", "MPEG-1"),
        0x02 => new(TrackKind.Video, "mp4v.61", "MPEG-2"),
        0x10 => new(TrackKind.Video, "mp4v.20", "MPEG-4"),
        0x1B => new(TrackKind.Video, "avc1", "H.264"),
        0x24 => new(TrackKind.Video, "hvc1", "HEVC"),
        0xEA => new(TrackKind.Video, null, "VC-1"),
        0x03 or 0x04 => new(TrackKind.Audio, "mp4a.6b", "MPEG audio"),
        0x0F or 0x11 => new(TrackKind.Audio, "mp4a.40.2", "AAC"),
        0x80 => new(TrackKind.Audio, "pcm", "PCM"),
        0x81 => new(TrackKind.Audio, "ac-3", "Dolby Digital"),
        0x82 or 0x85 or 0x86 or 0x8A => new(TrackKind.Audio, "dts", "DTS"),
        0x83 => new(TrackKind.Audio, "mlpa", "Dolby TrueHD"),
        0x84 or 0x87 or 0xA1 => new(TrackKind.Audio, "ec-3", "Dolby Digital Plus"),
        0x90 => new(TrackKind.Subtitle, null, "PGS"),

        // Private data: in DVB a descriptor tells the codec (ETSI EN 300 468, 6.1).
        0x06 when Has(descriptors, 0x6A) => new(TrackKind.Audio, "ac-3", "Dolby Digital"),
        0x06 when Has(descriptors, 0x7A) => new(TrackKind.Audio, "ec-3", "Dolby Digital Plus"),
        0x06 when Has(descriptors, 0x7B) => new(TrackKind.Audio, "dts", "DTS"),
        0x06 when Has(descriptors, 0x59) => new(TrackKind.Subtitle, null, "DVB"),
        0x06 when Has(descriptors, 0x56) => new(TrackKind.Subtitle, null, "Teletext"),
        _ => null,
    };

    private static bool Has(ReadOnlySpan<byte> descriptors, byte tag) => !Find(descriptors, tag).IsEmpty;

    private static string? LanguageIn(ReadOnlySpan<byte> descriptors) =>
        Find(descriptors, 0x0A) is { Length: >= 3 } found && Bits.Text(found[..3]) is { } language && language.All(char.IsAsciiLetter)
            && language != "und" ? language : null;

    private static ReadOnlySpan<byte> Find(ReadOnlySpan<byte> descriptors, byte tag)
    {
        for (var at = 0; at + 2 <= descriptors.Length; at += 2 + descriptors[at + 1])
        {
            if (descriptors[at] == tag)
                return descriptors.Slice(at + 2, Math.Min(descriptors[at + 1], descriptors.Length - at - 2));
        }

        return default;
    }

    private static bool Is(ReadOnlySpan<byte> head, int first, int size)
    {
        for (var i = 0; i < 4; i++)
        {
            if (Bits.U8(head, first + (i * size)) != Sync)
                return false;
        }

        return true;
    }
}

using NzbDav.Content;

namespace NzbDav.Library.Media;

/// <summary>
/// Reads the media information of a file's container from its head, and from its tail where needed. Bounded; damaged data means less
/// information, never an exception.
/// </summary>
internal static class MediaReader
{
    /// <exception cref="ContentException">The file's bytes cannot be read.</exception>
    public static async ValueTask<MediaInfo> ReadAsync(IContent content, CancellationToken cancellationToken)
    {
        if (content.Length == 0)
            return new MediaInfo(null, null, null, [], "The file is empty.");
        await using var stream = new CombinedStream(content, ReadIntent.Probe);
        var window = new MediaWindow(stream);
        var head = await window.ReadAsync(0, 1_024, cancellationToken);
        var name = Name(head.Span);
        try
        {
            switch (name)
            {
                case Matroska:
                    return await MatroskaReader.ReadAsync(window, cancellationToken);
                case Mp4:
                    return await Mp4Reader.ReadAsync(window, cancellationToken);
                case Avi:
                    return RiffTracks.Read((await window.ReadAsync(0, 64 << 10, cancellationToken)).Span);
                case Transport:
                    var size = TransportTracks.PacketSize(head.Span)!.Value;
                    return TransportTracks.Read((await window.ReadAsync(0, TransportTracks.Head, cancellationToken)).Span, size);
                case null:
                    return new MediaInfo(null, null, null, [], "The file begins like no container that is known.");
            }
        }
        catch (MediaLimitException)
        {
            return new MediaInfo(name, null, null, [], "The file's headers are longer than those of any film.");
        }

        // One stream each, so the container determines the codec.
        var (type, codec) = name switch
        {
            "MP3" => ("audio/mpeg", "mp3"),
            "FLAC" => ("audio/flac", "flac"),
            "WAV" => ("audio/wav", "pcm"),
            "Ogg" => (head.Span.IndexOf("theora"u8) >= 0 ? "video/ogg" : "audio/ogg",
                head.Span.IndexOf("OpusHead"u8) >= 0 ? "opus" : head.Span.IndexOf("vorbis"u8) >= 0 ? "vorbis" : null),
            "ASF" => ("video/x-ms-asf", null),
            "FLV" => ("video/x-flv", null),
            _ => ("video/mpeg", (string?)null),
        };
        return new MediaInfo(name, type, null, codec is null ? [] : [new MediaTrack(TrackKind.Audio, codec, codec is "opus" ? "Opus" : codec
            is "vorbis" ? "Vorbis" : codec.ToUpperInvariant())], codec is null ? $"The tracks of {name} are not read." : null);
    }

    internal const string Matroska = "Matroska";
    internal const string Mp4 = "MP4";
    internal const string Avi = "AVI";
    internal const string Transport = "MPEG-TS";
    internal const string ProgramStream = "MPEG-PS";

    /// <summary>The container by a file's first bytes; null if it is not known.</summary>
    internal static string? Name(ReadOnlySpan<byte> head)
    {
        if (head.StartsWith((ReadOnlySpan<byte>)[0x1A, 0x45, 0xDF, 0xA3]))
            return Matroska;
        if (Bits.FourCc(head, 4) is "ftyp" or "moov" or "mdat" or "wide" or "free" or "skip" or "pnot" or "styp")
            return Mp4;
        if (head.StartsWith("RIFF"u8))
            return Bits.FourCc(head, 8) switch { "AVI " => Avi, "WAVE" => "WAV", _ => null };
        if (head.StartsWith("OggS"u8))
            return "Ogg";
        if (head.StartsWith("fLaC"u8))
            return "FLAC";
        if (head.StartsWith("FLV"u8))
            return "FLV";
        if (head.StartsWith((ReadOnlySpan<byte>)[0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]))
            return "ASF";
        if (head.StartsWith((ReadOnlySpan<byte>)[0, 0, 1, 0xBA]))
            return ProgramStream;
        if (TransportTracks.PacketSize(head) is not null)
            return Transport;
        return head.StartsWith("ID3"u8) || (head.Length >= 2 && head[0] == 0xFF && (head[1] & 0xE6) == 0xE2) ? "MP3" : null;
    }
}

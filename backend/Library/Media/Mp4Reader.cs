namespace NzbDav.Library.Media;

/// <summary>
/// Finds the tracks of an MP4 or QuickTime file, wherever its <c>moov</c> is. Skips the sample tables, which are most of it.
/// </summary>
internal static class Mp4Reader
{
    private const int MostBoxes = 400;
    private const int MostTracks = 100;
    private const int LargestBox = 64 << 10;

    public static async ValueTask<MediaInfo> ReadAsync(MediaWindow window, CancellationToken cancellationToken)
    {
        var head = await window.ReadAsync(0, Mp4Box.MostHeader, cancellationToken);
        var isQuickTime = Bits.FourCc(head.Span, 4) != "ftyp" || Bits.FourCc(head.Span, 8) == "qt  ";
        var film = new Film();
        await WalkAsync(window, 0, window.Length, film, track: null, cancellationToken);
        var tracks = film.Tracks.Select(track => track.Build()).OfType<MediaTrack>().ToList();
        var isAudio = tracks.Count > 0 && tracks.TrueForAll(track => track.Kind != TrackKind.Video);
        var duration = film.Duration ?? film.Tracks.Max(track => track.Duration);
        return new MediaInfo(
            isQuickTime ? "QuickTime" : "MP4", isQuickTime ? "video/quicktime" : isAudio ? "audio/mp4" : "video/mp4", duration, tracks,
            film.HasIndex ? null : "The file's index (moov) is missing or damaged.");
    }

    private static async ValueTask WalkAsync(
        MediaWindow window, long at, long end, Film film, Mp4TrackBuilder? track, CancellationToken cancellationToken)
    {
        while (at + 8 <= end && film.Boxes++ < MostBoxes)
        {
            var bytes = await window.ReadAsync(at, Mp4Box.MostHeader, cancellationToken);
            if (Mp4Box.TryRead(bytes.Span) is not { } box)
                return;
            var next = box.Size == 0 ? end : at + box.Size;
            var (start, stop) = (at + box.Header, Math.Min(next, end));
            switch (box.Type)
            {
                case "moov":
                    film.HasIndex = true;
                    await WalkAsync(window, start, stop, film, track: null, cancellationToken);
                    return;
                case "trak" when film.HasIndex && track is null && film.Tracks.Count < MostTracks:
                    var own = new Mp4TrackBuilder();
                    film.Tracks.Add(own);
                    await WalkAsync(window, start, stop, film, own, cancellationToken);
                    break;
                case "mdia" or "minf" or "stbl" when track is not null:
                case "mvex" when film.HasIndex && track is null:
                    await WalkAsync(window, start, stop, film, track, cancellationToken);
                    break;
                case "tkhd" or "mdhd" or "hdlr" or "stsd" when track is not null:
                    track.Add(box.Type, (await window.ReadAsync(start, (int)Math.Min(LargestBox, stop - start), cancellationToken)).Span);
                    break;
                case "mvhd" or "mehd" when film.HasIndex && track is null:
                    film.Add(box.Type, (await window.ReadAsync(start, (int)Math.Min(64, stop - start), cancellationToken)).Span);
                    break;
            }

            at = next;
        }
    }

    private sealed class Film
    {
        private uint _scale;

        public int Boxes { get; set; }

        public bool HasIndex { get; set; }

        public List<Mp4TrackBuilder> Tracks { get; } = [];

        public TimeSpan? Duration { get; private set; }

        public void Add(string type, ReadOnlySpan<byte> data)
        {
            var isLong = Bits.U8(data, 0) == 1;
            if (type == "mvhd")
                (_scale, Duration) = isLong
                    ? (Bits.U32(data, 20), Bits.Duration(Bits.U64(data, 24), Bits.U32(data, 20)))
                    : (Bits.U32(data, 12),
                        Bits.U32(data, 16) == uint.MaxValue ? null : Bits.Duration(Bits.U32(data, 16), Bits.U32(data, 12)));
            else
                Duration ??= Bits.Duration(isLong ? Bits.U64(data, 4) : Bits.U32(data, 4), _scale);
        }
    }
}

/// <summary>The header of a box (ISO/IEC 14496-12, 4.2).</summary>
/// <param name="Type">Four characters.</param>
/// <param name="Header">Length of the header in bytes.</param>
/// <param name="Size">Length of the box in bytes, including the header; 0: to the end of the file.</param>
internal readonly record struct Mp4Box(string Type, int Header, long Size)
{
    /// <summary>Longest header in bytes.</summary>
    public const int MostHeader = 16;

    /// <summary>Reads a header; null if it is truncated or invalid.</summary>
    public static Mp4Box? TryRead(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < 8)
            return null;
        var type = Bits.FourCc(bytes, 4);
        long size = Bits.U32(bytes, 0);
        if (size != 1)
            return size is 0 or >= 8 ? new Mp4Box(type, 8, size) : null;
        if (bytes.Length < 16 || Bits.U64(bytes, 8) is < 16 or > long.MaxValue / 2)
            return null;
        return new Mp4Box(type, 16, (long)Bits.U64(bytes, 8));
    }

    /// <summary>Removes the next complete box from a sequence of boxes.</summary>
    public static bool TryNext(scoped ref ReadOnlySpan<byte> rest, out string type, out ReadOnlySpan<byte> data)
    {
        type = "";
        data = default;
        if (TryRead(rest) is not { } box)
            return false;
        var size = box.Size == 0 ? rest.Length : box.Size;
        if (size > rest.Length)
            return false;
        type = box.Type;
        data = rest[box.Header..(int)size];
        rest = rest[(int)size..];
        return true;
    }
}

using NzbDav.Library.Media;

namespace NzbDav.Library.Starts;

/// <summary>
/// The start of a Matroska or WebM file (RFC 9559): everything before the first cluster, that cluster, and the elements that the SeekHead
/// names.
/// </summary>
internal static class MatroskaStart
{
    private const uint SegmentId = 0x18538067;
    private const uint SeekHeadId = 0x114D9B74;
    private const uint TracksId = 0x1654AE6B;
    private const uint ClusterId = 0x1F43B675;

    private const int MostSteps = 64;
    private const int MostSeeks = 32;
    private const int LargestHeader = 4_096;
    private const int LargestRead = 1 << 20;

    /// <summary>Most bytes of an element: cues of long films have some hundred KiB, fonts some MiB.</summary>
    private const long LargestElement = 8 << 20;

    /// <summary>
    /// Least bytes of the first cluster, which lasts some seconds: as many as a player shows while the next articles arrive, and as ffprobe
    /// reads.
    /// </summary>
    private const long LeastData = 2 << 20;
    private const long MostData = 4 << 20;

    /// <param name="window">The file.</param>
    /// <param name="ranges">Receives the ranges.</param>
    /// <param name="probed">Bytes of data to pin if a track does not state its format.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async ValueTask AddAsync(MediaWindow window, StartRanges ranges, long probed, CancellationToken cancellationToken)
    {
        // In any case, whatever the file contains.
        ranges.Add(0, LeastData);
        if (SegmentData((await window.ReadAsync(0, LargestHeader, cancellationToken)).Span) is not (> 0 and var start))
            return;
        var seeks = new List<long>();
        var hasPictures = false;
        var at = start;
        for (var step = 0; step < MostSteps; step++)
        {
            if (!Ebml.TryHeader(
                (await window.ReadAsync(at, Ebml.MostHeader, cancellationToken)).Span, out var id, out var size, out var header))
                break;
            if (id == ClusterId)
            {
                var data = hasPictures ? probed : Math.Clamp(size, LeastData, MostData);
                ranges.Add(0, at + header + data);
                break;
            }

            if (size < 0 || size > window.Length)
                break;
            if (id is SeekHeadId or TracksId)
            {
                var element = await window.ReadAsync(at + header, (int)Math.Min(size, LargestRead), cancellationToken);
                if (id == SeekHeadId)
                    seeks.AddRange(Places(element.Span).Select(place => start + place));
                else
                    hasPictures = HasPictureSubtitles(element.Span);
            }

            at += header + size;
        }

        await AddSeeksAsync(window, ranges, start, at, seeks, cancellationToken);
    }

    /// <summary>Adds the elements after the head: index, tags, chapters, another SeekHead.</summary>
    private static async ValueTask AddSeeksAsync(
        MediaWindow window, StartRanges ranges, long start, long head, List<long> seeks, CancellationToken cancellationToken)
    {
        for (var i = 0; i < seeks.Count && i < MostSeeks; i++)
        {
            if (seeks[i] <= head || seeks[i] >= window.Length
                || !Ebml.TryHeader((await window.ReadAsync(seeks[i], Ebml.MostHeader, cancellationToken)).Span, out var id, out var size,
                    out var header) || size < 0 || id == ClusterId)
            {
                continue;
            }

            ranges.Add(seeks[i], header + Math.Min(size, LargestElement));
            if (id == SeekHeadId)
                seeks.AddRange(Places((await window.ReadAsync(seeks[i] + header, (int)Math.Min(size, LargestRead), cancellationToken)).Span)
                    .Select(place => start + place).Where(place => !seeks.Contains(place)));
        }
    }

    /// <summary>Offset of the segment's data; 0 if there is no segment.</summary>
    private static long SegmentData(ReadOnlySpan<byte> head)
    {
        if (!Ebml.TryHeader(head, out _, out var size, out var header) || size < 0 || size > head.Length - header)
            return 0;
        var at = header + (int)size;
        return Ebml.TryHeader(head[at..], out var id, out _, out var length) && id == SegmentId ? at + length : 0;
    }

    /// <summary>The positions that a SeekHead names, relative to the segment's data.</summary>
    private static List<long> Places(ReadOnlySpan<byte> seekHead)
    {
        var places = new List<long>();
        while (places.Count < MostSeeks && Ebml.TryNext(ref seekHead, out var id, out var seek))
        {
            while (id == 0x4DBB && Ebml.TryNext(ref seek, out var field, out var data))
            {
                if (field == 0x53AC)
                    places.Add((long)Math.Min(long.MaxValue / 2, Ebml.Unsigned(data)));
            }
        }

        return places;
    }

    /// <summary>
    /// True if there are subtitles that are images. Only their data states their size, so ffprobe searches until the first line of
    /// dialogue.
    /// </summary>
    private static bool HasPictureSubtitles(ReadOnlySpan<byte> tracks)
    {
        while (Ebml.TryNext(ref tracks, out var id, out var entry))
        {
            while (id == 0xAE && Ebml.TryNext(ref entry, out var field, out var data))
            {
                if (field == 0x86 && (data.StartsWith("S_HDMV/PGS"u8) || data.StartsWith("S_DVBSUB"u8)))
                    return true;
            }
        }

        return false;
    }
}

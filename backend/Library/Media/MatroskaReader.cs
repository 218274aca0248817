namespace NzbDav.Library.Media;

/// <summary>
/// Finds Info and Tracks of a Matroska or WebM file: on the first level before the first cluster, or where the SeekHead points.
/// </summary>
internal static class MatroskaReader
{
    private const uint SegmentId = 0x18538067;
    private const uint SeekHeadId = 0x114D9B74;
    private const uint InfoId = 0x1549A966;
    private const uint TracksId = 0x1654AE6B;
    private const uint ClusterId = 0x1F43B675;

    private const int MostSteps = 64;
    private const int LargestHeader = 4_096;
    private const int LargestElement = 4 << 20;

    public static async ValueTask<MediaInfo> ReadAsync(MediaWindow window, CancellationToken cancellationToken)
    {
        var head = await window.ReadAsync(0, LargestHeader, cancellationToken);
        var (isWebM, at) = Header(head.Span);
        TimeSpan? duration = null;
        List<MediaTrack>? tracks = null;
        var seeks = new Dictionary<uint, long>();
        if (at > 0)
        {
            var start = at;
            var hasInfo = false;
            for (var step = 0; step < MostSteps && (tracks is null || !hasInfo); step++)
            {
                var bytes = await window.ReadAsync(at, Ebml.MostHeader, cancellationToken);
                var isElement = Ebml.TryHeader(bytes.Span, out var id, out var size, out var header) && id != ClusterId && size >= 0
                    && size <= window.Length;
                if (isElement && id is SeekHeadId or InfoId or TracksId && size <= LargestElement)
                {
                    var data = await window.ReadAsync(at + header, (int)size, cancellationToken);
                    if (id == InfoId)
                        (duration, hasInfo) = (MatroskaTracks.Duration(data.Span), true);
                    else if (id == TracksId)
                        tracks = MatroskaTracks.Read(data.Span);
                    else
                        Seeks(data.Span, seeks);
                }

                if (isElement)
                {
                    at += header + size;
                }
                else if (seeks.Remove(tracks is null ? TracksId : InfoId, out var place) && start + place is > 0 and var target
                    && target < window.Length)
                {
                    // Behind the clusters.
                    at = target;
                }
                else
                {
                    break;
                }
            }
        }

        var isAudio = tracks is { Count: > 0 } && tracks.TrueForAll(track => track.Kind != TrackKind.Video);
        var type = (isAudio ? "audio/" : "video/") + (isWebM ? "webm" : "x-matroska");
        return new MediaInfo(isWebM ? "WebM" : "Matroska", type, duration, tracks ?? [],
            tracks is null ? "The container's list of tracks is missing or damaged." : null);
    }

    /// <summary>Whether the file calls itself WebM, and the offset of the segment's data; 0 if there is no segment.</summary>
    private static (bool IsWebM, long Data) Header(ReadOnlySpan<byte> head)
    {
        if (!Ebml.TryHeader(head, out _, out var size, out var header) || size < 0 || size > head.Length - header)
            return (false, 0);
        var isWebM = false;
        var fields = head.Slice(header, (int)size);
        while (Ebml.TryNext(ref fields, out var id, out var data))
            isWebM |= id == 0x4282 && data.StartsWith("webm"u8);
        var at = header + (int)size;
        return (isWebM, Ebml.TryHeader(head[at..], out var segment, out _, out var length) && segment == SegmentId ? at + length : 0);
    }

    private static void Seeks(ReadOnlySpan<byte> seekHead, Dictionary<uint, long> seeks)
    {
        while (Ebml.TryNext(ref seekHead, out var id, out var seek))
        {
            uint element = 0;
            long place = -1;
            while (id == 0x4DBB && Ebml.TryNext(ref seek, out var field, out var data))
            {
                if (field == 0x53AB)
                    element = (uint)Ebml.Unsigned(data);
                else if (field == 0x53AC)
                    place = (long)Math.Min(long.MaxValue / 2, Ebml.Unsigned(data));
            }

            if (element is InfoId or TracksId && place >= 0)
                seeks.TryAdd(element, place);
        }
    }
}

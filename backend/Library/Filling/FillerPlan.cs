using NzbDav.Content;
using NzbDav.Library.Media;

namespace NzbDav.Library.Filling;

/// <summary>
/// Where a file's container survives filler, and which filler to use. Demuxers resynchronise by themselves at the next cluster of a
/// Matroska file, the next packet of a transport stream and the next chunk of an AVI, and find the frames of an MP4 by its index. Zeros
/// cost the frames that they hit and those up to the next such point. Bytes that are needed to open the file or to seek in it are never
/// filled. Immutable.
/// </summary>
internal sealed class FillerPlan
{
    private const int Packet = 188;
    private const int MostSteps = 128;
    private const int LargestSeekHead = 64 << 10;

    /// <summary>
    /// Assumed size of an element behind the clusters whose header is lost: the cues of long films have some hundred KiB.
    /// </summary>
    private const long UnknownElement = 1 << 20;

    private readonly List<ByteSpan> _allowed = [];
    private readonly List<ByteSpan> _needed = [];

    /// <summary>Distance of the packets of a transport stream in bytes; 0: the file is not one.</summary>
    private int _packet;

    private FillerPlan()
    {
    }

    /// <summary>Reads the parts of the file that the plan needs.</summary>
    /// <param name="content">The file's bytes.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="ContentException">The head of the file cannot be read.</exception>
    public static async Task<FillerPlan> ReadAsync(IContent content, CancellationToken cancellationToken)
    {
        var plan = new FillerPlan();
        await using var stream = new CombinedStream(content, ReadIntent.Probe);
        var window = new MediaWindow(stream);
        try
        {
            var head = (await window.ReadAsync(0, 1_024, cancellationToken)).ToArray();
            switch (MediaReader.Name(head))
            {
                case MediaReader.Matroska:
                    await plan.AddMatroskaAsync(window, cancellationToken);
                    break;
                case MediaReader.Mp4:
                    await plan.AddMp4Async(window, cancellationToken);
                    break;
                case MediaReader.Avi:
                    await plan.AddAviAsync(window, cancellationToken);
                    break;
                case MediaReader.Transport:
                    plan._packet = TransportTracks.PacketSize(head)!.Value;
                    plan.Allow(TransportTracks.Head, window.Length);
                    break;
            }
        }
        catch (MediaLimitException)
        {
            // Headers longer than any film's: keep what was found so far.
        }

        return plan;
    }

    /// <summary>True when filler may replace all of these bytes.</summary>
    public bool Allows(ByteSpan range) =>
        _allowed.Exists(allowed => allowed.Contains(range)) && !_needed.Exists(needed => needed.Overlaps(range));

    /// <summary>True for a transport stream: <see cref="Write"/> writes packets.</summary>
    public bool HasPackets => _packet > 0;

    /// <summary>
    /// Writes filler: null packets (PID 0x1FFF; ISO/IEC 13818-1, 2.4.3.3) on the grid of a transport stream, zeros elsewhere.
    /// </summary>
    /// <param name="bytes">Receives the filler. Must be all zeros.</param>
    /// <param name="position">Position of the first of them in the file.</param>
    /// <param name="range">The whole range that is filled: a packet that began before it continues as stuffing.</param>
    public void Write(Span<byte> bytes, long position, ByteSpan range)
    {
        if (!HasPackets)
            return;
        for (var i = 0; i < bytes.Length; i++, position++)
        {
            // The time stamp before each packet (M2TS, as on Blu-rays) stays zero.
            var inPacket = position % _packet;
            bytes[i] = position - inPacket < range.Start ? (byte)0xFF : ByteOfNullPacket(inPacket - (_packet - Packet));
        }
    }

    private static byte ByteOfNullPacket(long index) => index switch { < 0 => 0, 0 => 0x47, 1 => 0x1F, 3 => 0x10, _ => 0xFF };

    private void Allow(long start, long end)
    {
        if (start < end)
            _allowed.Add(new ByteSpan(start, end));
    }

    /// <summary>RFC 9559: everything from the first cluster on, except the elements that the SeekHead names, above all the cues.</summary>
    private async ValueTask AddMatroskaAsync(MediaWindow window, CancellationToken cancellationToken)
    {
        const uint Segment = 0x18538067, SeekHead = 0x114D9B74, Cluster = 0x1F43B675;
        if (!Ebml.TryHeader((await window.ReadAsync(0, Ebml.MostHeader, cancellationToken)).Span, out _, out var size, out var header)
            || size < 0)
            return;
        var at = header + size;
        if (!Ebml.TryHeader((await window.ReadAsync(at, Ebml.MostHeader, cancellationToken)).Span, out var id, out _, out header)
            || id != Segment)
            return;
        var data = at + header;
        var places = new List<long>();
        at = data;
        for (var step = 0; ; step++)
        {
            if (step == MostSteps
                || !Ebml.TryHeader((await window.ReadAsync(at, Ebml.MostHeader, cancellationToken)).Span, out id, out size, out header))
                return;
            if (id == Cluster)
                break;
            if (size < 0)
                return;
            if (id == SeekHead)
                AddPlaces(
                    (await window.ReadAsync(at + header, (int)Math.Min(size, LargestSeekHead), cancellationToken)).Span, data, places);
            at += header + size;
        }

        Allow(at, window.Length);
        for (var i = 0; i < places.Count && i < MostSteps; i++)
        {
            var place = places[i];
            if (place <= at || place >= window.Length)
                continue;
            try
            {
                if (!Ebml.TryHeader((await window.ReadAsync(place, Ebml.MostHeader, cancellationToken)).Span, out id, out size, out header)
                    || id == Cluster)
                    continue;
                _needed.Add(new ByteSpan(place, size < 0 ? window.Length : place + header + size));
                if (id == SeekHead && size >= 0)
                    AddPlaces((await window.ReadAsync(place + header, (int)Math.Min(size, LargestSeekHead), cancellationToken)).Span, data,
                        places);
            }
            catch (ContentException)
            {
                // The header of the element lies in a hole.
                _needed.Add(new ByteSpan(place, place + UnknownElement));
            }
        }
    }

    private static void AddPlaces(ReadOnlySpan<byte> seekHead, long data, List<long> places)
    {
        while (places.Count < MostSteps && Ebml.TryNext(ref seekHead, out var id, out var seek))
        {
            while (id == 0x4DBB && Ebml.TryNext(ref seek, out var field, out var value))
            {
                if (field == 0x53AC && data + (long)Math.Min(long.MaxValue / 2, Ebml.Unsigned(value)) is var place
                    && !places.Contains(place))
                    places.Add(place);
            }
        }
    }

    /// <summary>ISO/IEC 14496-12: the contents of the mdat boxes.</summary>
    private async ValueTask AddMp4Async(MediaWindow window, CancellationToken cancellationToken)
    {
        long at = 0;
        for (var boxes = 0; boxes < MostSteps && at < window.Length; boxes++)
        {
            if (Mp4Box.TryRead((await window.ReadAsync(at, Mp4Box.MostHeader, cancellationToken)).Span) is not { } box)
                return;
            var end = box.Size == 0 ? window.Length : at + box.Size;
            if (box.Type == "mdat")
                Allow(at + box.Header, Math.Min(end, window.Length));
            at = end;
        }
    }

    /// <summary>The contents of the movi lists, also in files with several RIFF chunks (OpenDML AVI 1.02).</summary>
    private async ValueTask AddAviAsync(MediaWindow window, CancellationToken cancellationToken)
    {
        long at = 0;
        for (var chunks = 0; chunks < MostSteps && at + 12 <= window.Length; chunks++)
        {
            var bytes = (await window.ReadAsync(at, 12, cancellationToken)).ToArray();
            var (type, size) = (Bits.FourCc(bytes, 0), (long)Bits.L32(bytes, 4));
            if (type == "RIFF")
            {
                at += 12;
                continue;
            }

            if (type == "LIST" && Bits.FourCc(bytes, 8) == "movi")
                Allow(at + 12, Math.Min(at + 8 + size, window.Length));
            at += 8 + size + (size & 1);
        }
    }
}

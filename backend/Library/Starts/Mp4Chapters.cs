using NzbDav.Library.Media;

namespace NzbDav.Library.Starts;

/// <summary>
/// The chapters of an MP4 or QuickTime file that are a text track (QuickTime File Format, "Chapter Lists"). Each title is a sample anywhere
/// in the file, and players read every title when they open the file. A track's <c>tref</c> names the track with the titles by its id.
/// </summary>
internal sealed class Mp4Chapters(MediaWindow window)
{
    private const int MostBoxes = 2_000;

    /// <summary>Nested boxes: trak, mdia, minf, stbl.</summary>
    private const int MostDepth = 4;

    /// <summary>Most chunks of a track of titles. Each may become a range of its own, and a film has some dozen chapters at most.</summary>
    private const int MostChunks = 48;

    /// <summary>Bytes of samples pinned for each chunk: a title has some dozen bytes.</summary>
    private const long Titles = 32 << 10;

    private readonly List<Track> _tracks = [];
    private int _boxes;

    /// <param name="at">Offset of the first box inside the <c>moov</c> box.</param>
    /// <param name="end">End of that box.</param>
    /// <param name="ranges">Receives the places of the titles.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask AddAsync(long at, long end, StartRanges ranges, CancellationToken cancellationToken)
    {
        await WalkAsync(at, Math.Min(end, window.Length), track: null, depth: 0, cancellationToken);
        foreach (var id in _tracks.SelectMany(static track => track.Chapters).Distinct().ToArray())
        {
            if (_tracks.Find(track => track.Id == id) is { Chunks: > 0 } titles)
                await AddChunksAsync(titles, ranges, cancellationToken);
        }
    }

    private async ValueTask WalkAsync(long at, long end, Track? track, int depth, CancellationToken cancellationToken)
    {
        while (at + 8 <= end && _boxes++ < MostBoxes)
        {
            var bytes = await window.ReadAsync(at, Mp4Box.MostHeader, cancellationToken);
            if (Mp4Box.TryRead(bytes.Span) is not { } box)
                return;
            var next = box.Size == 0 ? end : at + box.Size;
            var (start, stop) = (at + box.Header, Math.Min(next, end));
            switch (box.Type)
            {
                case "trak" when track is null:
                    _tracks.Add(new Track());
                    await WalkAsync(start, stop, _tracks[^1], depth + 1, cancellationToken);
                    break;
                case "tref" or "mdia" or "minf" or "stbl" when track is not null && depth < MostDepth:
                    await WalkAsync(start, stop, track, depth + 1, cancellationToken);
                    break;
                case "tkhd" or "chap" or "stco" or "co64" when track is not null:
                    track.Add(
                        box.Type, start, stop, (await window.ReadAsync(start, (int)Math.Min(64, stop - start), cancellationToken)).Span);
                    break;
            }

            at = next;
        }
    }

    private async ValueTask AddChunksAsync(Track track, StartRanges ranges, CancellationToken cancellationToken)
    {
        var width = track.IsLong ? 8 : 4;
        var count = (int)Math.Min(Math.Min(track.Chunks, MostChunks), (track.TableEnd - track.TableAt) / width);
        var table = await window.ReadAsync(track.TableAt, count * width, cancellationToken);
        for (var i = 0; i < count; i++)
        {
            var offset = track.IsLong ? Bits.U64(table.Span, i * 8) : Bits.U32(table.Span, i * 4);
            if (offset < (ulong)window.Length)
                ranges.Add((long)offset, Titles);
        }
    }

    /// <summary>The relevant data of a <c>trak</c> box.</summary>
    private sealed class Track
    {
        public uint Id { get; private set; }

        /// <summary>Ids of the tracks with its chapters.</summary>
        public List<uint> Chapters { get; } = [];

        /// <summary>Number of entries in its chunk table.</summary>
        public uint Chunks { get; private set; }

        /// <summary>Offset of the table's first entry.</summary>
        public long TableAt { get; private set; }

        public long TableEnd { get; private set; }

        /// <summary>True when an entry has eight bytes (co64), not four (stco).</summary>
        public bool IsLong { get; private set; }

        /// <summary>Adds a box: its type, begin and end of its data, and the first bytes of them.</summary>
        public void Add(string type, long start, long end, ReadOnlySpan<byte> data)
        {
            switch (type)
            {
                case "tkhd":
                    // Two times come before the id; in version 1 each has eight bytes.
                    Id = Bits.U32(data, Bits.U8(data, 0) == 1 ? 20 : 12);
                    break;
                case "chap":
                    for (var at = 0; at + 4 <= data.Length; at += 4)
                        Chapters.Add(Bits.U32(data, at));
                    break;
                default:
                    (Chunks, TableAt, TableEnd, IsLong) = (Bits.U32(data, 4), start + 8, end, type == "co64");
                    break;
            }
        }
    }
}

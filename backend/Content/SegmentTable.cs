using System.Buffers;
using System.Text;

namespace NzbDav.Content;

/// <summary>
/// The segments of a map: id, decoded size, and where each begins in the file that was posted (to verify it when it arrives).
/// Immutable and thread-safe.
/// </summary>
public sealed class SegmentTable
{
    private readonly byte[] _ids;
    private readonly int[] _idEnds;
    private readonly int[] _sizes;
    private readonly long[] _begins;

    private SegmentTable(byte[] ids, int[] idEnds, int[] sizes, long[] begins, int postedDay)
    {
        _ids = ids;
        _idEnds = idEnds;
        _sizes = sizes;
        _begins = begins;
        PostedDay = postedDay;
    }

    /// <summary>Number of segments.</summary>
    public int Count => _sizes.Length;

    /// <summary>
    /// The day on which the segments were posted, in days since 1970-01-01 (UTC); the earliest if they come from several posts. 0: unknown.
    /// </summary>
    public int PostedDay { get; }

    /// <summary>Decoded bytes of a segment, at least 1.</summary>
    public int Size(int segment) => _sizes[segment];

    /// <summary>Offset of the segment's first byte in its posted file (the yEnc <c>begin</c> − 1).</summary>
    public long Begin(int segment) => _begins[segment];

    /// <summary>The id as UTF-8 (for Usenet: the message-id without angle brackets).</summary>
    public ReadOnlySpan<byte> IdUtf8(int segment)
    {
        var start = segment == 0 ? 0 : _idEnds[segment - 1];
        return _ids.AsSpan(start, _idEnds[segment] - start);
    }

    /// <summary>The id as a string; allocates.</summary>
    public string Id(int segment) => Encoding.UTF8.GetString(IdUtf8(segment));

    /// <summary>The fetch key of a segment; allocates its id.</summary>
    public SegmentKey Key(int segment) => new(Id(segment), Begin(segment), Size(segment)) { PostedDay = PostedDay };

    /// <summary>Collects segments in order.</summary>
    public sealed class Builder
    {
        private readonly ArrayBufferWriter<byte> _ids = new();
        private readonly List<int> _idEnds = [];
        private readonly List<int> _sizes = [];
        private readonly List<long> _begins = [];

        /// <summary>Segments added so far.</summary>
        public int Count => _sizes.Count;

        /// <summary>See <see cref="SegmentTable.PostedDay"/>; at least 0.</summary>
        public int PostedDay { get; set; }

        /// <summary>Adds a segment.</summary>
        /// <param name="idUtf8">Not empty.</param>
        /// <param name="begin">Offset in the posted file, at least 0.</param>
        /// <param name="size">Decoded bytes, at least 1.</param>
        public void Add(ReadOnlySpan<byte> idUtf8, long begin, int size)
        {
            if (idUtf8.IsEmpty)
                throw new ArgumentException("A segment needs an id.", nameof(idUtf8));
            ArgumentOutOfRangeException.ThrowIfNegative(begin);
            ArgumentOutOfRangeException.ThrowIfNegativeOrZero(size);
            _ids.Write(idUtf8);
            _idEnds.Add(_ids.WrittenCount);
            _begins.Add(begin);
            _sizes.Add(size);
        }

        public void Add(string id, long begin, int size) => Add(Encoding.UTF8.GetBytes(id), begin, size);

        public SegmentTable Build() => new(_ids.WrittenSpan.ToArray(), [.. _idEnds], [.. _sizes], [.. _begins], PostedDay);
    }
}

using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Disk;

/// <summary>Work of the reading threads.</summary>
public sealed partial class DiskCache
{
    /// <summary>Shortest interval at which the time of use is stored on the disk.</summary>
    private static readonly TimeSpan Grain = TimeSpan.FromHours(1);

    /// <summary>Reads an article into a buffer of its flight. Blocks for as long as the disk takes.</summary>
    /// <param name="flight">The flight that wants it.</param>
    /// <param name="key">The key of its id.</param>
    /// <param name="place">Where it should be.</param>
    /// <param name="memory">The thread's own memory.</param>
    /// <param name="buffer">Its verified bytes, <see cref="ArticleHeader.PartSize"/> of them may differ from <paramref name="length"/>; the caller's.</param>
    /// <param name="length">Number of bytes.</param>
    /// <returns>Null when it cannot be read from here, or is not what its reader expects.</returns>
    internal ArticleHeader? Read(SegmentFlight flight, ulong key, CachePlace place, AlignedMemory memory, out PooledBuffer? buffer, out int length)
    {
        (buffer, length) = (null, 0);
        CacheSegment? segment;
        lock (_gate)
        {
            if (!_segments.TryGetValue(place.Segment, out segment))
                return null;
        }

        var record = memory.Take(place.Blocks * CacheRecord.Block);
        try
        {
            using var file = _files.Open(segment.Path, FileAccess.Read);
            if (_files.Read(file, record, (long)place.Block * CacheRecord.Block) < record.Length)
            {
                Damaged(flight, key, place, segment);
                return null;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // One that was evicted a moment ago is gone; that is no fault.
            if (Drop(key, place))
                LogUnreadable(_logger, segment.Path, e.Message);
            return null;
        }

        if (CacheRecord.TryReadHead(record, place.Segment, place.Block) is not { } head || head.Place != place)
        {
            Damaged(flight, key, place, segment);
            return null;
        }

        // Another id with the same key, or a copy that is another part of the file than the one wanted.
        if (head.Id != flight.Key.Id || !flight.Key.Matches(head.Header.Begin, head.Length))
            return null;
        var copy = flight.RentBuffer(head.Length);
        if (!CacheRecord.TryCopy(record, head, copy.Memory.Span))
        {
            copy.Release();
            Damaged(flight, key, place, segment);
            return null;
        }

        (buffer, length) = (copy, head.Length);
        NoteUse(segment);
        return head.Header;
    }

    private void Damaged(SegmentFlight flight, ulong key, CachePlace place, CacheSegment segment)
    {
        if (!Drop(key, place))
            return;
        Metrics.Damage();
        LogDamaged(_logger, flight.Key.Id, segment.Path);
    }

    /// <summary>Forgets one article.</summary>
    /// <returns>False if it was already forgotten, or its file was evicted.</returns>
    private bool Drop(ulong key, CachePlace place)
    {
        lock (_gate)
        {
            if (!_segments.TryGetValue(place.Segment, out var segment) || !_table.TryFind(key, out var current) || current != place)
                return false;
            segment.Articles--;

            // No such file exists, so this slot is left out when the table is next rebuilt.
            _table.Set(key, new CachePlace(uint.MaxValue, 0, 0));
            return true;
        }
    }

    private void NoteUse(CacheSegment segment)
    {
        var now = _time.GetUtcNow();
        lock (_gate)
        {
            segment.Used = now;
            if (now - segment.Created < CacheSegment.SameEvening)
                return;
            if (segment.IsReused && now - segment.Noted < Grain)
                return;
            segment.IsReused = true;
            segment.Noted = now;
        }

        try
        {
            File.SetLastWriteTimeUtc(segment.Path, now.UtcDateTime);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Only the order of eviction after a restart is slightly off.
        }
    }
}

using Microsoft.Win32.SafeHandles;
using NzbDav.Content;

namespace NzbDav.Usenet.Disk;

/// <summary>The cache thread's work on articles: writes them, finishes files, makes space.</summary>
public sealed partial class DiskCache
{
    /// <summary>Bytes left free on the file system for the database, downloads and logs.</summary>
    internal const long MinFreeBytes = 1L << 30;

    /// <summary>How long no articles are stored after a full disk has shrunk the cache.</summary>
    private static readonly TimeSpan RoomPause = TimeSpan.FromMinutes(1);

    /// <summary>How long no articles are stored after the disk has failed.</summary>
    private static readonly TimeSpan FaultPause = TimeSpan.FromMinutes(5);

    private readonly AlignedMemory _record = new();
    private readonly AlignedMemory _footer = new();
    private readonly List<(ulong Key, CachePlace Place)> _written = [];
    private readonly ITimer _retry;
    private CacheSegment? _active;
    private SafeFileHandle? _activeFile;
    private uint _lastNumber;

    private void Write(DiskCacheWork work)
    {
        var bytes = work.Bytes!;
        var length = bytes.Length;
        try
        {
            var size = CacheRecord.SizeOf(work.Id, work.Header!, length);
            if (!_isAccepting || size == 0 || size > _segmentBytes || TryFind(work.Key, out _))
                return;
            if (_active is { } full && full.Size + size > _segmentBytes)
                Finish();
            if (_active is null && !TryBegin())
                return;
            var place = new CachePlace(_active!.Number, (ushort)(_active.Size / CacheRecord.Block), (ushort)(size / CacheRecord.Block));
            var record = _record.EnsureSize(size);
            CacheRecord.Write(record, place, work.Id, work.Header!, bytes.Memory.Span);
            bytes.Dispose();
            _files.Write(_activeFile!, record, _active.Size);
            Put(work.Key, place);
            _written.Add((work.Key, place));
            Metrics.CountWritten(size);
            lock (_gate)
            {
                _active.Size += size;
                _active.Articles++;
                _active.Used = _time.GetUtcNow();
                _size += size;
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Stop(e);
        }
        finally
        {
            bytes.Dispose();
            Interlocked.Add(ref _queued, -length);
        }
    }

    /// <summary>Begins a file.</summary>
    /// <returns>False when there is no space for one.</returns>
    private bool TryBegin()
    {
        if (!MakeRoom(_segmentBytes + CacheFooter.SizeOf(_segmentBytes / CacheRecord.LargestArticle)))
        {
            Pause(DiskCacheState.NoRoom, "less than 1 GiB would be left free on the disk.", RoomPause);
            return false;
        }

        var number = ++_lastNumber;
        var path = Path.Combine(_options.Folder, CacheSegment.NameOf(number));
        _activeFile = _files.Create(path);
        _active = new CacheSegment(number, path, _time.GetUtcNow());
        lock (_gate)
            _segments.Add(number, _active);
        return true;
    }

    /// <summary>Writes the index of the file being written, and closes the file.</summary>
    private void Finish()
    {
        var (segment, file) = (_active!, _activeFile!);
        (_active, _activeFile) = (null, null);
        using (file)
            WriteFooter(segment, file, _written);
        _written.Clear();
    }

    private void WriteFooter(CacheSegment segment, SafeFileHandle file, List<(ulong, CachePlace)> entries)
    {
        var size = CacheFooter.SizeOf(entries.Count);
        var footer = _footer.EnsureSize(size);
        CacheFooter.Write(footer, segment.Number, (int)(segment.Size / CacheRecord.Block), entries, _time.GetUtcNow());
        _files.Write(file, footer, segment.Size);
        lock (_gate)
        {
            segment.Size += size;
            _size += size;
        }
    }

    /// <summary>Finishes the file being written and releases the folder. The next process loads the file.</summary>
    private void Close()
    {
        try
        {
            if (_active is { Articles: 0 } empty)
                Remove(empty);
            else if (_active is not null)
                Finish();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Its records will be found by their headers.
        }

        Abandon();
        _owner?.Dispose();
        _owner = null;
    }

    /// <summary>Closes the unfinished file without an index: its records will be found by their headers.</summary>
    private void Abandon()
    {
        _activeFile?.Dispose();
        (_active, _activeFile) = (null, null);
        _written.Clear();
    }

    /// <summary>Evicts files until this many more bytes fit within the limit and leave <see cref="MinFreeBytes"/> free.</summary>
    /// <returns>False when nothing is left to evict.</returns>
    private bool MakeRoom(long bytes)
    {
        while (_size + bytes > _options.Limit || _files.FreeBytes(_options.Folder) < MinFreeBytes + bytes)
        {
            CacheSegment[] others;
            lock (_gate)
                others = [.. _segments.Values.Where(segment => segment != _active)];
            if (Eviction.Pick(others, _options.Limit) is not { } victim)
                return false;
            Remove(victim);
            Metrics.Evict(victim.Size);
        }

        return true;
    }

    private void Remove(CacheSegment segment)
    {
        if (segment == _active)
            Abandon();
        lock (_gate)
        {
            if (!_segments.Remove(segment.Number))
                return;
            _size -= segment.Size;
        }

        _files.Delete(segment.Path);
    }

    private void Put(ulong key, CachePlace place)
    {
        // Outside the lock: only this thread adds entries, and readers use the old table meanwhile.
        if (_table.IsFull)
        {
            var next = _table.Rebuild(_segments.ContainsKey);
            lock (_gate)
                _table = next;
        }

        lock (_gate)
            _table.Set(key, place);
    }

    /// <summary>Handles an error of the disk.</summary>
    private void Stop(Exception error)
    {
        Abandon();
        if (!FullDisk.Is(error))
        {
            Pause(DiskCacheState.Failing, error.Message, FaultPause);
            return;
        }

        // The disk is full although the spare space should still be free, for instance because of a quota. Others need the space more than
        // films that may be watched again.
        try
        {
            for (var i = 0; i < 2; i++)
            {
                CacheSegment[] all;
                lock (_gate)
                    all = [.. _segments.Values];
                if (Eviction.Pick(all, _options.Limit) is not { } victim)
                    break;
                Remove(victim);
                Metrics.Evict(victim.Size);
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Reported below.
        }

        Pause(DiskCacheState.NoRoom, $"the disk is full ({error.Message})", RoomPause);
    }

    private void Pause(DiskCacheState state, string reason, TimeSpan pause)
    {
        _isAccepting = false;
        SetState(state, reason);
        LogStopped(_logger, _options.Folder, reason);
        _retry.Change(pause, Timeout.InfiniteTimeSpan);
    }
}

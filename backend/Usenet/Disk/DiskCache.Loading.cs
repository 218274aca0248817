using Microsoft.Win32.SafeHandles;

namespace NzbDav.Usenet.Disk;

/// <summary>The cache thread's work on the folder: locks it, loads the files of an earlier process, releases it.</summary>
public sealed partial class DiskCache
{
    /// <summary>Name of the file locked while a process uses the folder.</summary>
    private const string OwnerName = "articles.lock";

    private FileStream? _owner;

    private void Become(DiskCacheOptions options)
    {
        var before = _options;
        if (options.Limit == 0 || options.Folder != before.Folder)
        {
            _isAccepting = _serves = false;
            Close();
            Forget();
            if (before.Limit > 0)
                DeleteFiles(before.Folder);
        }

        lock (_gate)
            _options = options;
        if (options.Limit == 0)
        {
            if (options.Folder.Length > 0)
                DeleteFiles(options.Folder);
            SetState(DiskCacheState.Off, null);
            return;
        }

        Retry();
    }

    /// <summary>Locks and loads the folder if that has not been done yet, and enforces the limit.</summary>
    private void Retry()
    {
        var options = _options;
        if (options.Limit == 0)
            return;
        try
        {
            if (_owner is null)
            {
                SetState(DiskCacheState.Loading, null);
                Directory.CreateDirectory(options.Folder);
                _owner = new FileStream(
                    Path.Combine(options.Folder, OwnerName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
                _serves = true;
                Load(options.Folder);
            }

            MakeRoom(0);
            SetState(DiskCacheState.On, null);
            _isAccepting = true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            Pause(DiskCacheState.Failing, e.Message, FaultPause);
        }
    }

    private void Load(string folder)
    {
        var paths = Directory.GetFiles(folder, "*" + CacheSegment.Ending);
        foreach (var path in paths.Order(StringComparer.Ordinal))
        {
            if (Volatile.Read(ref _disposed))
                return;
            var number = CacheSegment.NumberOf(path);
            if (number is 0 or uint.MaxValue)
                continue;
            _lastNumber = Math.Max(_lastNumber, number);
            try
            {
                LoadFile(number, path);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                LogUnreadable(_logger, path, e.Message);
            }
        }

        long articles;
        lock (_gate)
            articles = _segments.Values.Sum(static segment => (long)segment.Articles);
        LogLoaded(_logger, folder, articles, _size >> 20, _options.Limit >> 20);
    }

    private void LoadFile(uint number, string path)
    {
        using var file = _files.Open(path, FileAccess.ReadWrite);
        var length = RandomAccess.GetLength(file);
        var segment = new CacheSegment(number, path, new DateTimeOffset(File.GetCreationTimeUtc(path)))
        { Size = length, Used = new DateTimeOffset(File.GetLastWriteTimeUtc(path)) };
        segment.UseStoredAt = segment.Used;
        if (TryReadFooter(file, number, length, out var end) is { } finished)
        {
            segment.Articles = finished.Length;

            // After the footer has been written, only repeated reads change the file's time.
            segment.IsReused = segment.Used - end.Written >= CacheSegment.SameEvening;
            Add(segment, finished);
            return;
        }

        // After a crash, complete records are found by their headers.
        var records = Scan(file, number, length);
        if (records.Count == 0)
        {
            _files.Delete(path);
            return;
        }

        var last = records[^1].Place;
        segment.Size = (long)(last.Block + last.Blocks) * CacheRecord.Block;
        segment.Articles = records.Count;
        RandomAccess.SetLength(file, segment.Size);
        Add(segment, records);
        WriteFooter(segment, file, records);
    }

    private void Add(CacheSegment segment, IReadOnlyList<(ulong Key, CachePlace Place)> records)
    {
        lock (_gate)
        {
            _segments.Add(segment.Number, segment);
            _size += segment.Size;
        }

        foreach (var (key, place) in records)
            Put(key, place);
    }

    private (ulong Key, CachePlace Place)[]? TryReadFooter(SafeFileHandle file, uint number, long length, out CacheFooterEnd end)
    {
        end = default;
        if (length < CacheFooter.SizeOf(0) || length % CacheRecord.Block != 0)
            return null;
        var block = _footer.EnsureSize(CacheRecord.Block);
        if (_files.Read(file, block, length - CacheRecord.Block) < CacheRecord.Block
            || !CacheFooter.TryReadEnd(block, number, length, out end))
            return null;
        var table = _footer.EnsureSize(CacheFooter.TableOf(end.Records));
        return _files.Read(file, table, (long)end.FirstBlock * CacheRecord.Block) < table.Length
            ? null : CacheFooter.TryReadTable(table, number, end);
    }

    private List<(ulong Key, CachePlace Place)> Scan(SafeFileHandle file, uint number, long length)
    {
        var records = new List<(ulong, CachePlace)>();
        var block = _footer.EnsureSize(CacheRecord.Block);
        for (var at = 0; at <= ushort.MaxValue && (long)at * CacheRecord.Block < length;)
        {
            if (_files.Read(file, block, (long)at * CacheRecord.Block) < CacheRecord.Block
                || CacheRecord.TryReadHead(block, number, at) is not { } head)
                break;
            at += head.Place.Blocks;
            if ((long)at * CacheRecord.Block > length)
                break;
            records.Add((CacheRecord.KeyOf(head.Id), head.Place));
        }

        return records;
    }

    private void Forget()
    {
        lock (_gate)
        {
            _segments.Clear();
            _table = new PlaceTable(0);
            _size = 0;
        }
    }

    private void DeleteFiles(string folder)
    {
        try
        {
            if (!Directory.Exists(folder))
                return;

            // Another process may use the folder.
            using (new FileStream(Path.Combine(folder, OwnerName), FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None))
            {
                foreach (var path in Directory.EnumerateFiles(folder, "*" + CacheSegment.Ending))
                {
                    if (CacheSegment.NumberOf(path) != 0)
                        _files.Delete(path);
                }
            }

            File.Delete(Path.Combine(folder, OwnerName));
            if (!Directory.EnumerateFileSystemEntries(folder).Any())
                Directory.Delete(folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            LogUndeleted(_logger, folder, e.Message);
        }
    }

    [Microsoft.Extensions.Logging.LoggerMessage(
        144, Microsoft.Extensions.Logging.LogLevel.Warning, "Articles that are no longer kept in {Folder} could not be deleted: {Reason}")]
    private static partial void LogUndeleted(Microsoft.Extensions.Logging.ILogger logger, string folder, string reason);
}

using System.Globalization;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Content;
using NzbDav.Content.Checksums;

namespace NzbDav.Library.Pins;

/// <summary>
/// Ranges of files on disk, so that reading them needs no article. One file for each set, bounded in total; the set used longest ago is
/// removed first. A damaged set counts as missing. Thread-safe. Opening and reading files never waits for the disk longer than
/// <see cref="PinDisk.DiskTimeout"/>: the disk is accessed on the threads of <see cref="PinDisk"/>, and without holding the lock.
/// </summary>
public sealed partial class PinStore : IDisposable
{
    /// <summary>Ending of a file that is being written.</summary>
    internal const string Unfinished = ".new";

    private const string Ending = ".pins";

    /// <summary>Least time between two updates of a file's time of use.</summary>
    private static readonly TimeSpan Grain = TimeSpan.FromHours(1);

    private readonly Lock _gate = new();

    /// <summary>
    /// Held while a file is renamed or deleted, so that one does not undo the other. Taken before <see cref="_gate"/>, and never by
    /// readers.
    /// </summary>
    private readonly Lock _naming = new();

    private readonly PinDisk _disk;
    private readonly Dictionary<long, PinSet> _sets = [];

    /// <summary>Writers of sets that are under way.</summary>
    private readonly HashSet<PinWriter> _writers = [];
    private readonly string _folder;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private long _size;
    private long _limit;

    /// <param name="folder">Created with the first set.</param>
    /// <param name="limit">Most bytes of all files; 0: nothing is kept.</param>
    /// <param name="time">Clock.</param>
    /// <param name="logger">Logs what is damaged.</param>
    public PinStore(string folder, long limit, TimeProvider time, ILogger<PinStore> logger)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(limit);
        _folder = folder;
        _limit = limit;
        _time = time;
        _logger = logger;
        _disk = new PinDisk(time);
    }

    /// <summary>Most bytes of all files. Setting less than their size removes some at once.</summary>
    public long Limit
    {
        get
        {
            lock (_gate)
                return _limit;
        }

        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            lock (_gate)
            {
                _limit = value;
                MakeRoom(0);
            }
        }
    }

    /// <summary>
    /// Bytes per second that no film exceeds: 20 million, as ultra-high-definition discs have 16 million at most. ffprobe has left
    /// after 100 ms with the 4 MB of a Matroska film, after 130 ms with the 7 MB of a transport stream.
    /// </summary>
    internal double PlayingRate { get; set; } = 20e6;

    /// <summary>
    /// True: the bytes that a client has taken show whether it reads on. False in tests that must not depend on the machine's speed: time
    /// decides.
    /// </summary>
    internal bool FollowsClients { get; set; } = true;

    internal TimeProvider Time => _time;

    internal PinDisk Disk => _disk;

    /// <summary>Size of all files in bytes.</summary>
    public long Size
    {
        get
        {
            lock (_gate)
                return _size;
        }
    }

    /// <summary>Ids of the files with a set, including those for which nothing is to be pinned.</summary>
    public IReadOnlyCollection<long> Items
    {
        get
        {
            lock (_gate)
                return [.. _sets.Keys];
        }
    }

    /// <summary>The folder of the sets below the configuration folder.</summary>
    public static string In(string configFolder) => Path.Combine(configFolder, "cache", "starts");

    /// <summary>
    /// Loads the sets that earlier processes stored. Until then there are none. Removes damaged files, and files that a crash left
    /// unfinished.
    /// </summary>
    /// <exception cref="IOException">The folder cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder may not be read.</exception>
    public void Load()
    {
        if (!Directory.Exists(_folder))
            return;
        foreach (var path in Directory.EnumerateFiles(_folder))
        {
            var isWhole = path.EndsWith(Ending, StringComparison.Ordinal);
            if (!isWhole && !path.EndsWith(Ending + Unfinished, StringComparison.Ordinal))
                continue;
            var set = isWhole ? PinFile.TryRead(path, new DateTimeOffset(File.GetLastWriteTimeUtc(path))) : null;
            lock (_gate)
            {
                // A set that was written meanwhile is in the same file.
                if (set is not null && !_sets.TryAdd(set.Key.Item, set))
                    continue;
                if (set is not null)
                {
                    _size += set.Size;
                    continue;
                }
            }

            if (isWhole)
                LogDamaged(_logger, path);
            File.Delete(path);
        }

        lock (_gate)
            MakeRoom(0);
    }

    /// <summary>True when there is a set for exactly this key, even an empty one.</summary>
    public bool Has(PinKey key)
    {
        lock (_gate)
            return _sets.TryGetValue(key.Item, out var set) && set.Key == key;
    }

    /// <summary>True when a set of this many bytes would evict another.</summary>
    public bool IsFullFor(long bytes)
    {
        lock (_gate)
            return _size + bytes > _limit;
    }

    /// <summary>Reads ranges of a file and pins them instead of those pinned now.</summary>
    /// <param name="key">The file.</param>
    /// <param name="content">The file's bytes.</param>
    /// <param name="ranges">In order, not touching each other; none means that there is nothing to pin.</param>
    /// <param name="intent">How urgent it is.</param>
    /// <param name="cancellationToken">Cancels the operation; nothing is left behind.</param>
    /// <returns>False when nothing is kept: the file's pins were dropped meanwhile, or they exceed the limit.</returns>
    /// <exception cref="ContentException">The bytes cannot be read.</exception>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder cannot be written.</exception>
    public async Task<bool> PinAsync(
        PinKey key, IContent content, IReadOnlyList<ByteSpan> ranges, ReadIntent intent, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(content);
        ArgumentNullException.ThrowIfNull(ranges);
        using var writer = Begin(key, ranges);
        if (writer is null)
            return false;
        foreach (var range in ranges)
        {
            // Read to the end: only then are all bytes verified.
            await using var reader = content.OpenReader(range.Start, range.End, intent);
            for (var left = range.Length; left > 0;)
            {
                using var lease = await reader.NextAsync(cancellationToken);
                if (lease.IsEmpty)
                    throw new InvalidOperationException($"The content of {key.Item} ended {left} bytes before its own length.");
                writer.Append(lease.Memory.Span);
                left -= lease.Length;
            }
        }

        return writer.Keep();
    }

    /// <summary>Begins to pin ranges of a file instead of those pinned now. They take effect with <see cref="PinWriter.Keep"/>.</summary>
    /// <param name="key">The file.</param>
    /// <param name="ranges">In order, not touching each other; none means that there is nothing to pin.</param>
    /// <returns>Null when they exceed the limit.</returns>
    /// <exception cref="IOException">The disk is full or broken.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder cannot be written.</exception>
    internal PinWriter? Begin(PinKey key, IReadOnlyList<ByteSpan> ranges)
    {
        if (PinFile.SizeOf(ranges) > Limit)
            return null;
        Directory.CreateDirectory(_folder);
        var writer = new PinWriter(
            this, key, ranges, Path.Combine(_folder, key.Item.ToString("x16", CultureInfo.InvariantCulture) + Ending));
        lock (_gate)
            _writers.Add(writer);
        return writer;
    }

    /// <summary>
    /// Drops the file's pins, including those being written: its bytes lie elsewhere than assumed, or it is gone. Readers continue without
    /// them.
    /// </summary>
    public void Drop(long item)
    {
        lock (_gate)
        {
            foreach (var writer in _writers)
            {
                if (writer.Key.Item == item)
                    writer.IsVoid = true;
            }

            if (_sets.TryGetValue(item, out var set))
                Remove(set);
        }
    }

    /// <summary>The set of a file; null if there is none, or an empty one.</summary>
    internal PinSet? Find(PinKey key)
    {
        lock (_gate)
        {
            if (!_sets.TryGetValue(key.Item, out var set) || set.Key != key || set.Ranges.Count == 0)
                return null;
            var now = _time.GetUtcNow();
            if (now - set.Used >= Grain)
                _disk.Post(() => Touch(set.Path, now));
            set.Used = now;
            return set;
        }
    }

    /// <summary>Reads from an offset to the end of its block or range.</summary>
    /// <param name="set">The set.</param>
    /// <param name="index">Index of the range.</param>
    /// <param name="position">An offset in the file, inside that range.</param>
    /// <param name="cancellationToken">Stops waiting.</param>
    /// <returns>Null when the block cannot be read or is damaged, and the set is dropped. Null also when the disk does not answer in time;
    /// a later read may succeed.</returns>
    internal ValueTask<ReadOnlyMemory<byte>?> ReadAsync(PinSet set, int index, long position, CancellationToken cancellationToken) =>
        _disk.ReadAsync(() => Read(set, index, position), cancellationToken);

    /// <summary>Adds the set of a writer whose bytes are complete.</summary>
    /// <returns>False when the file's pins were dropped meanwhile, or the set exceeds the limit.</returns>
    internal bool Keep(PinWriter writer, PinSet set, Action giveName)
    {
        lock (_naming)
        {
            lock (_gate)
            {
                if (writer.IsVoid || set.Size > _limit)
                    return false;
                if (_sets.TryGetValue(set.Key.Item, out var old))
                    Remove(old);
                MakeRoom(set.Size);
            }

            giveName();
            lock (_gate)
            {
                if (!writer.IsVoid)
                {
                    set.Used = _time.GetUtcNow();
                    _sets.Add(set.Key.Item, set);
                    _size += set.Size;
                    MakeRoom(0);
                    return true;
                }
            }
        }

        _disk.Post(() => Delete(set));
        return false;
    }

    internal void Ended(PinWriter writer)
    {
        lock (_gate)
            _writers.Remove(writer);
    }

    /// <summary>Ends the threads once all queued work is done.</summary>
    public void Dispose() => _disk.Dispose();

    private void DropSet(PinSet set)
    {
        lock (_gate)
        {
            if (_sets.TryGetValue(set.Key.Item, out var current) && ReferenceEquals(current, set))
                Remove(set);
        }
    }

    private void MakeRoom(long bytes)
    {
        while (_sets.Count > 0 && _size + bytes > _limit)
            Remove(_sets.Values.MinBy(static set => set.Used)!);
    }

    /// <summary>Removes a set; its file is deleted later. Called under the lock.</summary>
    private void Remove(PinSet set)
    {
        set.Drop();
        _sets.Remove(set.Key.Item);
        _size -= set.Size;
        _disk.Post(() => Delete(set));
    }

    private void Delete(PinSet set)
    {
        lock (_naming)
        {
            // A newer set of the same file has the same name.
            lock (_gate)
            {
                if (_sets.ContainsKey(set.Key.Item))
                    return;
            }

            try
            {
                File.Delete(set.Path);
            }
            catch (Exception e) when (FileFaults.IsFault(e))
            {
                LogNotRemoved(_logger, set.Path, e.Message);
            }
        }
    }

    private ReadOnlyMemory<byte>? Read(PinSet set, int index, long position)
    {
        var range = set.Ranges[index];
        long before = PinFile.HeaderOf(set.Ranges);
        var block = (int)((position - range.Start) / PinSet.Block);
        var checksum = block;
        for (var i = 0; i < index; i++)
        {
            before += set.Ranges[i].Length;
            checksum += PinSet.BlocksOf(set.Ranges[i]);
        }

        var start = (long)block * PinSet.Block;
        var bytes = new byte[Math.Min(PinSet.Block, range.Length - start)];
        try
        {
            using var file = File.OpenHandle(set.Path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            for (var filled = 0; filled < bytes.Length;)
            {
                var count = RandomAccess.Read(file, bytes.AsSpan(filled), before + start + filled);
                if (count == 0)
                    break;
                filled += count;
            }
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            LogUnreadable(_logger, set.Path, e.Message);
            DropSet(set);
            return null;
        }

        if (set.IsDropped)
            return null;
        if (Crc32.Append(0, bytes) != set.Checksums[checksum])
        {
            LogDamaged(_logger, set.Path);
            DropSet(set);
            return null;
        }

        return bytes.AsMemory((int)(position - range.Start - start));
    }

    private static void Touch(string path, DateTimeOffset now)
    {
        try
        {
            File.SetLastWriteTimeUtc(path, now.UtcDateTime);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            // After a restart, sets are evicted in a slightly different order.
        }
    }

    [LoggerMessage(310, LogLevel.Warning, "{Path} is damaged: its bytes are read from the providers again.")]
    private static partial void LogDamaged(ILogger logger, string path);

    [LoggerMessage(311, LogLevel.Warning, "{Path} cannot be read ({Reason}): its bytes are read from the providers again.")]
    private static partial void LogUnreadable(ILogger logger, string path, string reason);

    [LoggerMessage(312, LogLevel.Warning, "{Path} cannot be removed: {Reason}")]
    private static partial void LogNotRemoved(ILogger logger, string path, string reason);
}

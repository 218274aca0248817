using Microsoft.Win32.SafeHandles;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// The files of a kept torrent: one for each file of the torrent, under its own name. Each has its full length from the start, and is
/// sparse until filled. Padding is not written.
/// </summary>
internal sealed partial class KeptDisk : PieceDisk
{
    /// <summary>Stands for a time of change: the file is being hashed, and must be hashed again if that is interrupted.</summary>
    private const long Unchecked = -1;

    /// <summary>
    /// Steps to which file systems round times: 10 ms on exFAT, one second on old ones, two on FAT. Until they are mounted again, they show
    /// the exact time.
    /// </summary>
    private static readonly long[] Steps = [TimeSpan.TicksPerMillisecond * 10, TimeSpan.TicksPerSecond, TimeSpan.TicksPerSecond * 2];

    private readonly TorrentInfo _info;
    private readonly int[] _numbers;
    private readonly string _path;
    private readonly BeneathFolder _beneath;
    private readonly OpenFiles _open;
    private readonly KeptRoots _roots;
    private readonly Func<int, SafeFileHandle> _reader;
    private readonly Func<int, SafeFileHandle> _writer;
    private readonly Lock _gate = new();

    /// <summary>
    /// Flag in the number of a file that is opened for writing. Reading has its own handle, so a file that may not be written to can still
    /// be read.
    /// </summary>
    internal const int Written = 1 << 30;

    /// <summary>
    /// Held while a file is opened for reading. Readers wait for it asynchronously, so a disk that spins up blocks at most one thread per
    /// torrent.
    /// </summary>
    private readonly SemaphoreSlim _opening = new(1, 1);

    /// <summary>Held during a sync. Taken before all other locks in this class.</summary>
    private readonly Lock _flushing = new();

    private readonly HashSet<int> _unsynced = [];
    private bool _isMarked;
    private KeptPlace _place;

    /// <summary>Files written to since their times were read.</summary>
    private readonly HashSet<int> _written = [];

    /// <summary>All files written to in this run.</summary>
    private readonly HashSet<int> _writtenFiles = [];

    /// <summary>Files that are being hashed, with their times of change when that was found necessary.</summary>
    private readonly Dictionary<int, long> _changed = [];

    /// <summary>Time of change of each file in ticks, or <see cref="Unchecked"/>; 0 = not known, which is no reason to hash it.</summary>
    private long[] _times;

    /// <param name="info">The torrent.</param>
    /// <param name="place">Where it is kept.</param>
    /// <param name="path">Path of its resume data, without the ending.</param>
    /// <param name="open">Open files of all torrents.</param>
    /// <param name="roots">Checks whether its disk is mounted.</param>
    /// <param name="fold">For tests: see <see cref="BeneathFolder"/>.</param>
    public KeptDisk(TorrentInfo info, KeptPlace place, string path, OpenFiles open, KeptRoots roots, Func<string, string>? fold = null)
    {
        (_info, _place, _path, _open, _roots) = (info, place, path, open, roots);
        _beneath = new BeneathFolder(place.Root, fold);
        var number = 0;
        _numbers = [.. info.Files.Select(file => file.IsPadding ? -1 : number++)];
        if (place.Files.Count != number)
            throw new IOException($"'{path}{KeptPlace.Ending}' has {place.Files.Count} files, and the torrent has {number}.");
        _times = new long[info.Files.Count];
        _reader = file => OpenToRead(file & ~Written);
        _writer = file => OpenToWrite(file & ~Written);
    }

    /// <summary>True if an earlier run was killed before it recorded everything that it wrote.</summary>
    public bool WasOpen => File.Exists(_path + KeptPlace.OpenEnding);

    /// <summary>True while a file is being opened for reading.</summary>
    internal bool IsOpening => _opening.CurrentCount == 0;

    /// <summary>Path of its folder.</summary>
    public string Folder => Path.Combine(_place.Root, _place.Folder);

    /// <inheritdoc/>
    public override async ValueTask<int> ReadAsync(long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        var done = 0;
        while (done < destination.Length)
        {
            var (file, at, length) = Locate(offset + done, destination.Length - done);
            if (file < 0)
                return done;
            var part = destination.Slice(done, length);
            if (_info.Files[file].IsPadding)
            {
                part.Span.Clear();
            }
            else
            {
                using var lease = _open.TryUse(this, file) ?? await OpenAsync(file, cancellationToken);
                var count = await RandomAccess.ReadAsync(lease.Handle, part, at, cancellationToken);
                if (count == 0)
                    return done;
                length = count;
            }

            done += length;
        }

        return done;
    }

    /// <inheritdoc/>
    public override void Write(long offset, ReadOnlySpan<byte> bytes)
    {
        AssertHeld();
        while (!bytes.IsEmpty)
        {
            var (file, at, length) = Locate(offset, bytes.Length);
            if (!_info.Files[file].IsPadding)
            {
                using var lease = Use(file);
                SlicedFile.Write(lease.Handle, bytes[..length], at);
                Note(file);
            }

            bytes = bytes[length..];
            offset += length;
        }
    }

    /// <summary>Copies a range of a cache's file without moving its bytes through this process: the file system shares the blocks if it can
    /// (reflink), otherwise the kernel copies them.</summary>
    /// <param name="cache">The file.</param>
    /// <param name="from">Offset in it.</param>
    /// <param name="offset">Offset in the torrent.</param>
    /// <param name="length">In bytes.</param>
    public void CopyFrom(SafeFileHandle cache, long from, long offset, long length)
    {
        AssertHeld();
        while (length > 0)
        {
            var (file, at, part) = Locate(offset, (int)Math.Min(length, int.MaxValue));
            if (!_info.Files[file].IsPadding)
            {
                using var lease = Use(file);
                FileRange.Copy(cache, from, lease.Handle, at, part);
                Note(file);
            }

            from += part;
            offset += part;
            length -= part;
        }
    }

    /// <summary>True if the torrent consists of exactly one file, so that the cache's data file has the same content.</summary>
    public bool CanAdopt => _info.Files is [{ Length: > 0, IsPadding: false }];

    /// <summary>Moves the cache's data file into place as the torrent's only file. False if that is not possible.</summary>
    public bool TryAdopt(string cachePath)
    {
        if (!CanAdopt)
            return false;
        _roots.Prepare(_place.Root);
        if (!_beneath.TryMoveHere(cachePath, PathOf(0)))
            return false;

        // Opening it sets its full length. No piece of a file that was there before is recorded.
        Forget([0]);
        Use(0).Dispose();
        Note(0);
        return true;
    }

    /// <inheritdoc/>
    public override void Flush()
    {
        // One at a time: a second caller's data may be in a file that is being synced now, and must not be recorded before that sync is
        // done.
        lock (_flushing)
            FlushAlone();
    }

    /// <inheritdoc/>
    public override void Free(long offset, long length)
    {
        // Nothing to do: a kept file keeps its space, and damaged pieces are overwritten.
    }

    /// <inheritdoc/>
    public override void SaveResumeData(BitField pieces)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_path)!);
        ReadTimes();
        ResumeFile.Save(_path + KeptPlace.ClaimsEnding, _info, pieces, _times);
    }

    /// <inheritdoc/>
    /// <remarks>Does not look at the files: see <see cref="Scan"/>.</remarks>
    public override BitField? Load()
    {
        var claims = ResumeFile.Load(_path + KeptPlace.ClaimsEnding, _info, out var times);
        if (times.Length == _times.Length)
            _times = times;
        return claims;
    }

    /// <summary>Marks all written data as recorded, so that the next run does not look for more.</summary>
    public void MarkClosed()
    {
        File.Delete(_path + KeptPlace.OpenEnding);
        Volatile.Write(ref _isMarked, false);
    }

    /// <summary>Removes its files, its resume data and its record.</summary>
    public void Delete()
    {
        _open.Close(this);
        _place.Delete(_path, _roots);
    }

    /// <inheritdoc/>
    public override void Dispose() => _open.Close(this);

    private string PathOf(int file) => $"{_place.Folder}/{_place.Files[_numbers[file]]}";

    private async ValueTask<OpenFiles.Lease> OpenAsync(int file, CancellationToken cancellationToken)
    {
        await _opening.WaitAsync(cancellationToken);
        try
        {
            return _open.Use(this, file, _reader);
        }
        finally
        {
            _opening.Release();
        }
    }

    private void FlushAlone()
    {
        int[] files;
        lock (_gate)
        {
            files = [.. _unsynced];
            _unsynced.Clear();
        }

        var done = 0;
        try
        {
            for (; done < files.Length; done++)
            {
                using var lease = _open.Use(this, files[done] | Written, _writer);
                RandomAccess.FlushToDisk(lease.Handle);
                _beneath.FlushFolder(PathOf(files[done]));
            }
        }
        finally
        {
            lock (_gate)
                _unsynced.UnionWith(files[done..].Where(_lengths.ContainsKey));
        }
    }

    private void MarkOpen()
    {
        if (Volatile.Read(ref _isMarked))
            return;
        File.Create(_path + KeptPlace.OpenEnding).Dispose();
        Volatile.Write(ref _isMarked, true);
    }

    private void Note(int file)
    {
        lock (_gate)
        {
            _unsynced.Add(file);
            _written.Add(file);
        }
    }

    /// <summary>
    /// Finds the file that contains a byte (−1 past the end), the byte's offset in it, and how many bytes from there are in the same file,
    /// at most <paramref name="most"/>.
    /// </summary>
    private (int File, long At, int Length) Locate(long offset, int most)
    {
        var (low, high) = (0, _info.Files.Count - 1);
        while (low <= high)
        {
            var middle = (low + high) / 2;
            var file = _info.Files[middle];
            if (offset < file.Offset)
                high = middle - 1;
            else if (offset >= file.Offset + file.Length)
                low = middle + 1;
            else
                return (middle, offset - file.Offset, (int)Math.Min(most, file.Offset + file.Length - offset));
        }

        return (-1, 0, 0);
    }

    // Times of change of the files. They are stored with the resume data: a file that something else has written to since is hashed.

    /// <summary>Call when the pieces of the files in <see cref="KeptScan.Changed"/> have been hashed.</summary>
    public void Checked()
    {
        lock (_gate)
        {
            foreach (var (file, time) in _changed)
                _times[file] = time;
            _changed.Clear();
        }
    }

    /// <summary>
    /// Closes all files. Some file systems set the time of change only then, so the times are read again when the resume data is saved
    /// next.
    /// </summary>
    /// <returns>True if any file was written to since it was opened.</returns>
    public bool CloseFiles()
    {
        _open.Close(this);
        lock (_gate)
        {
            _written.UnionWith(_writtenFiles);
            return _written.Count > 0;
        }
    }

    /// <param name="file">The file.</param>
    /// <param name="time">Its time of change.</param>
    /// <param name="wasOpen">True if a killed run wrote to the files: then their times prove nothing.</param>
    private bool IsChanged(int file, long time, bool wasOpen)
    {
        lock (_gate)
        {
            var known = _times[file];
            if (wasOpen && known != Unchecked)
            {
                _written.Add(file);
                return false;
            }

            if (known == 0 || known == time || (known > 0 && Array.Exists(Steps, step => known - (known % step) == time)))
                return false;
            _changed[file] = time;
            _times[file] = Unchecked;
            return true;
        }
    }

    /// <summary>Reads the times of change of the files that were written to. Call when nothing is being written.</summary>
    private void ReadTimes()
    {
        int[] files;
        lock (_gate)
        {
            _writtenFiles.UnionWith(_written);
            files = [.. _written.Union(_lengths.Keys.Where(file => _times[file] == 0)).Where(file => !_changed.ContainsKey(file))];
            _written.Clear();
        }

        foreach (var file in files)
        {
            var found = _beneath.Inspect(PathOf(file));
            lock (_gate)
                _times[file] = found.Length == _info.Files[file].Length ? found.Changed : _times[file];
        }
    }
}

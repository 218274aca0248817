using Microsoft.Win32.SafeHandles;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>The files of a torrent that is kept: one for each file of the torrent, under its own name. Each has its full length from the start, and is sparse
/// until filled. Padding is not written.</summary>
internal sealed partial class KeptDisk : PieceDisk
{
    private readonly TorrentInfo _info;
    private readonly KeptPlace _place;
    private readonly string _path;
    private readonly BeneathFolder _beneath;
    private readonly OpenFiles _open;
    private readonly Func<int, SafeFileHandle> _opener;
    private readonly Lock _gate = new();

    /// <summary>Held during a sync. Taken before all other locks in this class.</summary>
    private readonly Lock _flushing = new();

    private readonly HashSet<int> _unsynced = [];
    private bool _isMarked;

    /// <param name="info">The torrent.</param>
    /// <param name="place">Where it is kept.</param>
    /// <param name="path">Path of its claims, without the ending.</param>
    /// <param name="open">Open files of all torrents.</param>
    public KeptDisk(TorrentInfo info, KeptPlace place, string path, OpenFiles open)
    {
        (_info, _place, _path, _open) = (info, place, path, open);
        _beneath = new BeneathFolder(place.Root);
        _opener = OpenToRead;
    }

    /// <summary>An earlier run was killed before it claimed all that it wrote.</summary>
    public bool WasOpen => File.Exists(_path + KeptPlace.OpenEnding);

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
                using var lease = _open.Use(this, file, _opener);
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

    /// <summary>Copies a range of the cache's file without moving its bytes through this process: the file system shares the blocks if it can (reflink),
    /// otherwise the kernel copies them.</summary>
    public void CopyFrom(SafeFileHandle cache, long offset, long length)
    {
        while (length > 0)
        {
            var (file, at, part) = Locate(offset, (int)Math.Min(length, int.MaxValue));
            if (!_info.Files[file].IsPadding)
            {
                using var lease = Use(file);
                FileRange.Copy(cache, offset, lease.Handle, at, part);
                Note(file);
            }

            offset += part;
            length -= part;
        }
    }

    /// <summary>True if the torrent consists of exactly one file, so that the cache's file has the same content.</summary>
    public bool CanTake => _info.Files is [{ Length: > 0, IsPadding: false }];

    /// <summary>Moves the cache's file, which has the content of the torrent's only file, into place as that file; false if that is not possible.</summary>
    public bool TryTake(string cachePath)
    {
        if (!CanTake || !_beneath.TryMoveHere(cachePath, PathOf(0)))
            return false;

        // Opening it sets its full length. Nothing is claimed of a file that was there before.
        Forget([0]);
        Use(0).Dispose();
        Note(0);
        return true;
    }

    /// <inheritdoc/>
    public override void Flush()
    {
        // One at a time: a second caller's data may be in a file that is being synced now, and must not be claimed before that is done.
        lock (_flushing)
            FlushAlone();
    }

    /// <inheritdoc/>
    public override void Free(long offset, long length)
    {
        // A kept file keeps its space: damaged pieces are overwritten.
    }

    /// <inheritdoc/>
    public override void SaveClaims(BitField claims)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_path)!);
        ResumeFile.Save(_path + KeptPlace.ClaimsEnding, _info, claims);
    }

    /// <inheritdoc/>
    public override BitField? Load() => Load(out _);

    /// <summary>Like <see cref="Load()"/>.</summary>
    /// <param name="lost">True if claimed data is gone: a file is missing, or has another length.</param>
    public BitField? Load(out bool lost)
    {
        lost = false;
        if (ResumeFile.Load(_path + KeptPlace.ClaimsEnding, _info) is not { } claims)
            return null;
        for (var file = 0; file < _info.Files.Count; file++)
        {
            var there = _info.Files[file];
            if (there.IsPadding || there.Length == 0)
                continue;
            if (_beneath.LengthOf(PathOf(file)) == there.Length)
            {
                NoteLength(file, there.Length);
                continue;
            }

            foreach (var piece in PiecesOf(file))
                lost |= claims.Clear(piece);
        }

        return claims;
    }

    /// <summary>True if something may have been written in a range, or if the file system cannot tell. Padding never has data.</summary>
    public bool HasData(long offset, long length)
    {
        var end = offset + length;
        while (offset < end)
        {
            var (file, at, part) = Locate(offset, (int)(end - offset));
            if (file < 0)
                return false;
            if (!_info.Files[file].IsPadding && HasData(file, at, part))
                return true;
            offset += part;
        }

        return false;
    }

    /// <summary>Notes that all written data is claimed, so that the next run need not look for more.</summary>
    public void MarkClosed()
    {
        File.Delete(_path + KeptPlace.OpenEnding);
        Volatile.Write(ref _isMarked, false);
    }

    /// <summary>Removes its files, its claims and its record.</summary>
    public void Delete()
    {
        _open.Close(this);
        _place.Delete(_path);
    }

    /// <inheritdoc/>
    public override void Dispose() => _open.Close(this);

    private string PathOf(int file) => $"{_place.Folder}/{_info.Files[file].Path}";

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
                using var lease = _open.Use(this, files[done], _opener);
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

    private bool HasData(int file, long at, int length)
    {
        try
        {
            using var lease = _open.Use(this, file, _opener);
            return SparseFile.FindData(lease.Handle, at) is { } found && found < at + length;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private void Note(int file)
    {
        lock (_gate)
            _unsynced.Add(file);
    }

    /// <summary>The file that contains a byte (−1 past the end), the byte's offset in it, and how many bytes from there are in the same file, at most
    /// <paramref name="most"/>.</summary>
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
}

using Microsoft.Win32.SafeHandles;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <content>
/// Opens, creates and looks for the files. A file that existed and is gone is not created again automatically: the new one would have its
/// full length, and its zeros would pass for its former pieces.
/// </content>
internal sealed partial class KeptDisk
{
    /// <summary>Length of each file when it was last seen complete or opened. Files listed here are not created again.</summary>
    private readonly Dictionary<int, long> _lengths = [];

    private bool _hasEmptyFiles;

    /// <summary>Looks for all files that have recorded pieces.</summary>
    /// <param name="recorded">The pieces in the resume data; null: none.</param>
    public KeptScan Scan(BitField? recorded)
    {
        var absent = new BitField(_info.PieceCount);
        var lost = new List<int>();
        string? trouble = null;
        var changed = new List<int>();
        var (seen, unreachable, wasOpen) = (false, false, WasOpen);
        foreach (var (index, file) in _info.Files.Index())
        {
            if (recorded is null || file.IsPadding || file.Length == 0 || !PiecesOf(index).Any(piece => recorded[piece]))
                continue;
            var found = _beneath.Inspect(PathOf(index));
            if (found.Length == file.Length)
            {
                seen = true;
                NoteLength(index, file.Length);
                if (IsChanged(index, found.Changed, wasOpen))
                    changed.Add(index);
                continue;
            }

            trouble ??= found.Reason ?? $"'{PathOf(index)}' has {found.Length} bytes, not {file.Length}.";
            unreachable |= found is { Reason: not null, IsGone: false };
            lost.Add(index);
            foreach (var piece in PiecesOf(index).Where(piece => recorded[piece]))
                absent.Set(piece);
        }

        // A folder with some of the files is not an empty mount point, even without its id.
        if (seen)
            _roots.Confirm(_place.Root);
        else if ((_roots.FindTrouble(_place.Root) ?? (trouble is not null ? FindEmptiness() : null)) is { } away)
            (trouble, unreachable) = (away, true);
        return new KeptScan(trouble, IsLost: trouble is not null && !unreachable, absent, lost) { Changed = changed };
    }

    /// <summary>
    /// Finds pieces that may be on disk without being in the resume data: something was written at their offsets, or the file system cannot
    /// tell.
    /// </summary>
    /// <param name="recorded">The pieces in the resume data; null: none.</param>
    public IReadOnlyList<int> FindUnrecorded(BitField? recorded)
    {
        var found = new SortedSet<int>();
        foreach (var (index, file) in _info.Files.Index())
        {
            if (file.IsPadding || file.Length == 0)
                continue;
            var pieces = PiecesOf(index).Where(piece => recorded?[piece] != true && !found.Contains(piece)).ToArray();
            if (pieces.Length == 0 || _beneath.Inspect(PathOf(index)).IsGone)
                continue;
            found.UnionWith(pieces.Where(piece => HasData(index, piece)));
        }

        return [.. found];
    }

    /// <summary>
    /// A message if the folder is empty or does not exist, as when its disk is not mounted and its id was never recorded; null if it is not
    /// empty.
    /// </summary>
    private string? FindEmptiness()
    {
        try
        {
            return _beneath.IsEmpty() ? $"'{_place.Root}' is empty or not there: its disk may not be mounted." : null;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return error.Message;
        }
    }

    /// <summary>The files of a piece that were seen before, and now are gone, cannot be reached or have another length.</summary>
    public IReadOnlyList<int> FindLost(int piece)
    {
        var lost = new List<int>();
        var (offset, end) = ((long)piece * _info.PieceLength, ((long)piece * _info.PieceLength) + _info.SizeOf(piece));
        while (offset < end && Locate(offset, (int)(end - offset)) is var (file, _, part) && file >= 0)
        {
            offset += part;
            if (LengthOf(file) is { } length && _beneath.Inspect(PathOf(file)).Length != length)
                lost.Add(file);
        }

        return lost;
    }

    /// <summary>All pieces with bytes in a file. The file must not be empty.</summary>
    public IEnumerable<int> PiecesOf(int file)
    {
        var (first, last) =
            (_info.Files[file].Offset / _info.PieceLength, (_info.Files[file].Offset + _info.Files[file].Length - 1) / _info.PieceLength);
        return Enumerable.Range((int)first, (int)(last - first) + 1);
    }

    /// <summary>Lets lost files be created again. Call it when none of their pieces is in the resume data.</summary>
    public void Forget(IReadOnlyList<int> files)
    {
        lock (_gate)
        {
            foreach (var file in files)
            {
                _lengths.Remove(file);
                _unsynced.Remove(file);
            }
        }

        // An open handle may belong to a deleted file.
        _open.Close(this);
    }

    /// <summary>Skips missing files in the next sync, so that the others can be synced.</summary>
    public void SkipInNextSync(IReadOnlyList<int> files)
    {
        lock (_gate)
            _unsynced.ExceptWith(files);
        _open.Close(this);
    }

    /// <summary>True if something may have been written in a piece's part of a file, or if that cannot be determined.</summary>
    private bool HasData(int file, int piece)
    {
        var start = Math.Max(0, ((long)piece * _info.PieceLength) - _info.Files[file].Offset);
        var end = ((long)piece * _info.PieceLength) + _info.SizeOf(piece) - _info.Files[file].Offset;
        try
        {
            using var lease = _open.Use(this, file, _reader);
            return SparseFile.FindData(lease.Handle, start) is { } found && found < end;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return !BeneathFolder.IsGone(error);
        }
    }

    private SafeFileHandle OpenToRead(int file)
    {
        var handle = _beneath.Open(PathOf(file), FileUse.Read);

        // A file that is shorter than its full length may be in creation.
        if (RandomAccess.GetLength(handle) == _info.Files[file].Length)
            NoteLength(file, _info.Files[file].Length);
        return handle;
    }

    /// <summary>Opens a file for writing. Creates it if it never existed.</summary>
    /// <exception cref="IOException">Also if it existed and is gone, or has another length now.</exception>
    private OpenFiles.Lease Use(int file)
    {
        MarkOpen();
        MakeEmptyFiles();
        return _open.Use(this, file | Written, _writer);
    }

    private SafeFileHandle OpenToWrite(int file)
    {
        var known = LengthOf(file);
        if (known is null)
            _roots.Prepare(_place.Root);
        var handle = known is null ? Make(file) : _beneath.Open(PathOf(file), FileUse.Write);
        try
        {
            var length = RandomAccess.GetLength(handle);
            if (known is not null && length != known)
                throw new IOException($"'{PathOf(file)}' has {length} bytes and had {known} before.");
            if (length != _info.Files[file].Length)
                SlicedFile.SetLength(handle, _info.Files[file].Length);
            NoteLength(file, _info.Files[file].Length);
            return handle;
        }
        catch
        {
            handle.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Creates a file, or opens one of an earlier run. A disk that ignores case, or different spellings of an accented letter, would open a
    /// file of another name. Then this file gets a new name, which is recorded first.
    /// </summary>
    private SafeFileHandle Make(int file)
    {
        while (true)
        {
            try
            {
                return _beneath.Open(PathOf(file), FileUse.Create);
            }
            catch (IOException error) when (BeneathFolder.IsThere(error))
            {
                // Not on macOS, which lists some names in another spelling than they were created with.
                if (OperatingSystem.IsLinux() && !_beneath.Lists(_place.Folder))
                    throw new IOException($"The disk takes the folder '{_place.Folder}' for one of another name, which is there.", error);
                if (_beneath.Lists(PathOf(file)))
                    return _beneath.Open(PathOf(file), FileUse.Write);
                var place = _place.Rename(_numbers[file]);
                place.Save(_path);
                _place = place;
            }
        }
    }

    /// <summary>Creates the empty files, which are in no piece. Called when the first file is written.</summary>
    private void MakeEmptyFiles()
    {
        if (Volatile.Read(ref _hasEmptyFiles))
            return;
        _roots.Prepare(_place.Root);
        foreach (var (index, file) in _info.Files.Index())
        {
            if (file is { Length: 0, IsPadding: false })
                Make(index).Dispose();
        }

        Volatile.Write(ref _hasEmptyFiles, true);
    }

    private long? LengthOf(int file)
    {
        lock (_gate)
            return _lengths.TryGetValue(file, out var length) ? length : null;
    }

    private void NoteLength(int file, long length)
    {
        lock (_gate)
            _lengths[file] = length;
    }
}

/// <summary>What <see cref="KeptDisk.Scan"/> found.</summary>
/// <param name="Trouble">Why not all recorded data can be used; null: all files are there.</param>
/// <param name="IsLost">True: the disk is there, but the files are missing, or shorter or longer. False: they cannot be reached
/// now.</param>
/// <param name="Absent">The recorded pieces in files that are missing, cannot be reached or have another length.</param>
/// <param name="Files">These files.</param>
internal sealed record KeptScan(string? Trouble, bool IsLost, BitField Absent, IReadOnlyList<int> Files)
{
    /// <summary>Files that were written to since their pieces were recorded: their pieces have to be hashed.</summary>
    public IReadOnlyList<int> Changed { get; init; } = [];
}

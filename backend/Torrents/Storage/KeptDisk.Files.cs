using Microsoft.Win32.SafeHandles;

namespace NzbDav.Torrents.Storage;

/// <content>Opens and creates the files, and notices when one that was there is gone: a file created again would have its full length, and its zeros would
/// count as the pieces that were in it.</content>
internal sealed partial class KeptDisk
{
    /// <summary>Length of each file when it was last seen whole or opened. A file in it is not created again.</summary>
    private readonly Dictionary<int, long> _lengths = [];

    private bool _hasEmptyFiles;

    /// <summary>The files of a piece that were there and are gone, or have another length now. A file that cannot be looked at does not count. Their pieces
    /// (<see cref="PiecesOf"/>) must be dropped, and then the files forgotten.</summary>
    public IReadOnlyList<int> FindLost(int piece)
    {
        var lost = new List<int>();
        var (offset, end) = ((long)piece * _info.PieceLength, ((long)piece * _info.PieceLength) + _info.SizeOf(piece));
        while (offset < end && Locate(offset, (int)(end - offset)) is var (file, _, part) && file >= 0)
        {
            offset += part;
            if (LengthOf(file) is { } length && _beneath.IsLost(PathOf(file), length))
                lost.Add(file);
        }

        return lost;
    }

    /// <summary>All pieces with bytes in a file, which is not empty.</summary>
    public IEnumerable<int> PiecesOf(int file)
    {
        var (first, last) = (_info.Files[file].Offset / _info.PieceLength, (_info.Files[file].Offset + _info.Files[file].Length - 1) / _info.PieceLength);
        return Enumerable.Range((int)first, (int)(last - first) + 1);
    }

    /// <summary>Lets lost files be created again. Call it when none of their pieces is claimed.</summary>
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

        // An open handle may be that of a deleted file.
        _open.Close(this);
    }

    private SafeFileHandle OpenToRead(int file)
    {
        var handle = _beneath.Open(PathOf(file), create: false);
        if (LengthOf(file) is null)
            NoteLength(file, RandomAccess.GetLength(handle));
        return handle;
    }

    /// <summary>Opens a file for writing. Creates it if it was never there.</summary>
    /// <exception cref="IOException">Also if it was there and is gone, or has another length now.</exception>
    private OpenFiles.Lease Use(int file)
    {
        MarkOpen();
        MakeEmptyFiles();
        return _open.Use(this, file, OpenToWrite);
    }

    private SafeFileHandle OpenToWrite(int file)
    {
        var known = LengthOf(file);
        var handle = _beneath.Open(PathOf(file), create: known is null);
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

    /// <summary>Creates the files without bytes, which are in no piece. Called when the first file is written.</summary>
    private void MakeEmptyFiles()
    {
        if (Volatile.Read(ref _hasEmptyFiles))
            return;
        foreach (var (index, file) in _info.Files.Index())
        {
            if (file is { Length: 0, IsPadding: false })
                _beneath.Open(PathOf(index), create: true).Dispose();
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

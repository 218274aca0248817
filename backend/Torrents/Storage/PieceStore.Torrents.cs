using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>Opens, closes and removes torrents.</summary>
internal sealed partial class PieceStore
{
    /// <summary>Opens a torrent's pieces.</summary>
    /// <param name="info">The torrent.</param>
    /// <param name="events">See <see cref="TorrentPieces.Events"/>.</param>
    public TorrentPieces Open(TorrentInfo info, IPieceEvents events)
    {
        var path = _folder is null ? null : Path.Combine(_folder, info.Hash.ToString());
        CacheDisk? cache = path is null ? null : _hasHoles ? new SparseCache(path, info) : new PieceCache(path, info, _openFiles);
        var pieces = new TorrentPieces(this, info, path, cache, events);
        lock (_gate)
            _resting?.Remove(info.Hash);
        var kept = LoadKept(pieces);
        var cached = pieces.Cache?.Load();
        lock (_gate)
        {
            _torrents.Add(pieces);
            for (var piece = 0; piece < info.PieceCount; piece++)
            {
                var isInKeep = kept?[piece] == true;
                if (isInKeep || cached?[piece] == true)
                    _states.Load(pieces, piece, isInKeep);
            }
        }

        // Continues a move that an earlier run began.
        if (pieces.Kept is not null)
            BeginMoving(pieces);
        return pieces;
    }

    /// <summary>Torrents with data on disk: those that have some in the cache and are not open, and all that are kept.</summary>
    public IReadOnlyList<InfoHash> ListOnDisk()
    {
        lock (_gate)
            return [.. (_resting?.Hashes ?? []).Union(_records.List())];
    }

    /// <summary>Removes all data on disk, kept files included, of a torrent that is not open.</summary>
    /// <exception cref="IOException">Some of its kept files could not be removed.</exception>
    public void Delete(InfoHash hash)
    {
        DropResting(hash);
        _records.Delete(hash);
    }

    /// <summary>True if a torrent is kept, open or not.</summary>
    public bool IsKept(InfoHash hash) => _records.Has(hash);

    /// <summary>See <see cref="TorrentEngine.ReadFree"/>.</summary>
    public long? ReadFree(InfoHash hash)
    {
        if ((_records.TryFind(hash)?.Root ?? _keepFolder) is not { } folder)
            return null;

        // The folder does not exist before the first torrent is kept.
        while (!Directory.Exists(folder) && Path.GetDirectoryName(folder) is { Length: > 0 } above)
            folder = above;
        return FreeOf(folder);
    }

    /// <inheritdoc cref="KeptRecords.Read"/>
    public IReadOnlyList<long>? ReadKept(InfoHash hash, IReadOnlyList<TorrentFile> files) => _records.Read(hash, files);

    internal void Close(TorrentPieces pieces)
    {
        // Waits for a checkpoint in progress, which records entries that are cleared here.
        lock (pieces.ResumeGate)
        {
            if (_folder is not null && Resume.Checkpoint(pieces) && TrySaveTimes(pieces)
                && pieces is { Unverified.Count: 0, Missing: null })
                TryMarkClosed(pieces);
            lock (pieces.FileGate)
            {
                lock (_gate)
                    Forget(pieces);
            }
        }
    }

    private void Forget(TorrentPieces pieces)
    {
        pieces.IsClosed = true;
        _watches -= pieces.Watches.Count;
        pieces.Watches.Clear();
        _torrents.Remove(pieces);
        var before = _states.CachedBytes;
        _states.Clear(pieces);
        _resting?.Add(pieces.Info.Hash, before - _states.CachedBytes);
    }

    private BitField? LoadKept(TorrentPieces pieces)
    {
        if (FindKept(pieces.Info) is not var (kept, claims, look))
            return null;
        pieces.Kept = kept;
        pieces.IsKept = true;
        pieces.Missing = look.Trouble;

        // Without resume data, everything on disk is hashed: the data was lost, or an earlier run was killed before it wrote any.
        var unclaimed = look.Trouble is null && (claims is null || kept.WasOpen) ? kept.FindUnrecorded(claims) : [];
        if (claims is null)
        {
            pieces.Unverified = unclaimed;
            return null;
        }

        // Pieces of files that something else wrote to are not held until they have been hashed.
        int[] changed = [.. look.Changed.SelectMany(kept.PiecesOf).Distinct().Where(piece => claims[piece] && !look.Absent[piece])];
        foreach (var piece in changed)
            look.Absent.Set(piece);
        pieces.Absent.CopyFrom(look.Absent);
        pieces.Unverified = [.. unclaimed.Union(changed)];
        foreach (var piece in Enumerable.Range(0, claims.Length).Where(piece => look.Absent[piece]))
            claims.Clear(piece);
        return claims;
    }

    /// <summary>
    /// Why the kept files of a torrent that is not open cannot be used, or why it cannot be kept now; null: nothing prevents it.
    /// </summary>
    public string? FindMissing(TorrentInfo info)
    {
        try
        {
            if (FindKept(info) is not var (kept, _, look))
                return _keepFolder is null ? null : _records.Roots.FindTrouble(_keepFolder);
            kept.Dispose();
            return look.Trouble;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return error.Message;
        }
    }

    /// <summary>
    /// Finds the kept files of a torrent and their resume data; null if it is not kept. If the files are not where they were, and all of
    /// them are in the folder that is set now, the user has moved them there: the record is changed.
    /// </summary>
    private (KeptDisk Kept, BitField? Claims, KeptScan Look)? FindKept(TorrentInfo info)
    {
        if (_records.Find(info.Hash) is not { } place)
            return null;
        var path = Path.Combine(_folder!, info.Hash.ToString());
        var kept = new KeptDisk(info, place, path, _openFiles, _records.Roots);
        var claims = kept.Load();
        var look = kept.Scan(claims);
        if (look.Trouble is null || claims is not { Count: > 0 } || _keepFolder is null || _keepFolder == place.Root)
            return (kept, claims, look);
        var moved = place with { Root = _keepFolder };
        var there = new KeptDisk(info, moved, path, _openFiles, _records.Roots);
        if (there.Scan(claims) is not { Trouble: null } found)
            return (kept, claims, look);
        moved.Save(path);
        return (there, claims, found);
    }

    /// <summary>Stores the times of change of the kept files after they have been closed.</summary>
    private bool TrySaveTimes(TorrentPieces pieces)
    {
        try
        {
            lock (pieces.FileGate)
            {
                if (pieces.Kept?.CloseFiles() == true)
                    Resume.Save(pieces, cache: false, kept: true);
            }

            return true;
        }
        catch (Exception error) when (ResumeData.IsOfDisk(error))
        {
            // The mark stays, so that the next run does not rely on the times.
            _metrics.WriteFailed();
            return false;
        }
    }

    private void TryMarkClosed(TorrentPieces pieces)
    {
        try
        {
            pieces.Kept?.MarkClosed();
        }
        catch (Exception error) when (ResumeData.IsOfDisk(error))
        {
            // Harmless: the next run looks for unrecorded data, and finds none.
            _metrics.WriteFailed();
        }
    }

    private void DropResting(InfoHash hash)
    {
        string? gone;
        lock (_gate)
            gone = ForgetResting(hash);
        if (gone is not null)
            RestingPieces.TryDelete(gone);
    }

    /// <summary>
    /// Removes the resume data of a torrent that is not open. Under the store's lock. Returns the path to remove outside the lock; null if
    /// the torrent has nothing on disk.
    /// </summary>
    private string? ForgetResting(InfoHash hash)
    {
        if (_resting?.Remove(hash) != true)
            return null;
        return _resting.Forget(hash);
    }
}

using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Storage;

/// <summary>Opens, closes and removes torrents.</summary>
internal sealed partial class PieceStore
{
    /// <summary>Opens a torrent's pieces.</summary>
    /// <param name="info">The torrent.</param>
    /// <param name="news">See <see cref="HeldPieces.News"/>.</param>
    /// <param name="held">Pieces that an earlier run left on disk.</param>
    public TorrentPieces Open(TorrentInfo info, IStorageNews news, out BitField held)
    {
        var pieces = new HeldPieces(info, _folder is null ? null : Path.Combine(_folder, info.Hash.ToString()), news);
        lock (_gate)
            _diskBytes -= _resting?.Take(info.Hash) ?? 0;
        held = LoadKept(pieces) ?? new BitField(info.PieceCount);
        var cached = pieces.Cache?.Load();
        lock (_gate)
        {
            _torrents.Add(pieces);
            for (var piece = 0; piece < info.PieceCount; piece++)
            {
                var isInKeep = held[piece];
                if (!isInKeep && cached?[piece] != true)
                    continue;
                var entry = NewEntry(pieces, piece);
                entry.IsInKeep = isInKeep;
                _victims.FindOnDisk(entry);
                pieces.Synced.Set(piece);
                held.Set(piece);
                if (!isInKeep)
                    _diskBytes += info.SizeOf(piece);
            }
        }

        // Continue a move that an earlier run began.
        if (pieces.Kept is not null)
            BeginMoving(pieces);
        return new TorrentPieces(this, pieces);
    }

    /// <summary>Torrents with data on disk: those that are not open and have some in the cache, and all that are kept.</summary>
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

    /// <summary>True if a torrent has files in the folder for kept torrents.</summary>
    public bool IsKept(InfoHash hash) => _records.Has(hash);

    /// <summary>See <see cref="TorrentEngine.ReadFree"/>.</summary>
    public long? ReadFree(InfoHash hash)
    {
        if ((_records.Find(hash)?.Root ?? _keepFolder) is not { } folder)
            return null;
        try
        {
            return new DriveInfo(folder).AvailableFreeSpace;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    /// <inheritdoc cref="KeptRecords.Read"/>
    public IReadOnlyList<long>? ReadKept(InfoHash hash, IReadOnlyList<TorrentFile> files) => _records.Read(hash, files);

    internal void Close(HeldPieces pieces)
    {
        // A checkpoint in progress ends first: it claims entries that are cleared here.
        lock (pieces.ClaimGate)
        {
            if (_folder is not null && _claims.Checkpoint(pieces) && pieces.Unsure.Count == 0)
                TryMarkClosed(pieces);
            lock (pieces.FileGate)
            {
                lock (_gate)
                    Forget(pieces);
            }
        }
    }

    private void Forget(HeldPieces pieces)
    {
        pieces.IsClosed = true;
        pieces.Unsynced.Clear();
        _torrents.Remove(pieces);
        var before = _diskBytes;
        foreach (var entry in pieces.Entries)
        {
            if (entry is null)
                continue;
            ForgetMemory(entry);
            ForgetDisk(entry);
        }

        Array.Clear(pieces.Entries);
        _resting?.Add(pieces.Info.Hash, before - _diskBytes);
        _diskBytes = before;
    }

    private BitField? LoadKept(HeldPieces pieces)
    {
        if (pieces.Path is null || KeptPlace.Load(pieces.Path) is not { } place)
            return null;
        pieces.Kept = new KeptDisk(pieces.Info, place, pieces.Path, _openFiles);
        pieces.IsKept = true;
        var claims = pieces.Kept.Load(out var lost);
        pieces.IsMissing = lost;

        // Reported once: data that is fetched again is no longer missing.
        if (lost)
            pieces.Kept.SaveClaims(claims!);
        if (pieces.Kept.WasOpen)
            pieces.Unsure = [.. Enumerable.Range(0, pieces.Info.PieceCount).Where(piece => claims?[piece] != true && pieces.Kept.HasData((long)piece * pieces.Info.PieceLength, pieces.Info.SizeOf(piece)))];
        return claims;
    }

    private void TryMarkClosed(HeldPieces pieces)
    {
        try
        {
            pieces.Kept?.MarkClosed();
        }
        catch (Exception error) when (PieceClaims.IsOfDisk(error))
        {
            // The next run hashes unclaimed data, of which there is none.
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
    /// Withdraws the claims of a torrent that rests. Under the lock. Returns the file to remove outside it; null if the torrent does not rest.
    /// </summary>
    private string? ForgetResting(InfoHash hash)
    {
        if (_resting?.Take(hash) is not { } bytes)
            return null;
        _diskBytes -= bytes;
        return _resting.Forget(hash);
    }
}

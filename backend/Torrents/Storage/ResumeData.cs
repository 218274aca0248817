using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Records which pieces torrents have on disk. The order is safe against crashes: data is synced before it is recorded, and a record is
/// withdrawn before its data is removed. The resume data of a closed torrent does not change. Thread-safe.
/// </summary>
/// <param name="gate">The store's lock.</param>
/// <param name="states">The states of the store's pieces.</param>
/// <param name="metrics">Counts failed writes.</param>
internal sealed class ResumeData(Lock gate, PieceStates states, TorrentMetrics metrics)
{
    /// <summary>
    /// Syncs and records a torrent's written pieces. Pieces that cannot be recorded now are tried again with the next call, unless their
    /// sync failed.
    /// </summary>
    /// <returns>True if all written pieces are recorded, and no sync has failed since the torrent was opened.</returns>
    public bool Checkpoint(TorrentPieces pieces)
    {
        lock (pieces.ResumeGate)
            return CheckpointLocked(pieces);
    }

    /// <summary>
    /// Records all pieces that are Synced, unless the torrent is closed. Call under the file's lock. Throws the exceptions of a full or
    /// broken disk.
    /// </summary>
    /// <param name="pieces">The torrent's pieces.</param>
    /// <param name="cache">True: write the resume data of the cache.</param>
    /// <param name="kept">True: write the resume data of the kept files.</param>
    public void Save(TorrentPieces pieces, bool cache, bool kept)
    {
        if (pieces.IsClosed)
            return;
        var (inCache, inKeep) = (new BitField(pieces.Info.PieceCount), new BitField(pieces.Info.PieceCount));
        lock (gate)
        {
            for (var piece = 0; piece < pieces.Info.PieceCount; piece++)
            {
                if (pieces.Entries[piece] is { State: StoredState.Synced } entry)
                    (entry.IsInKeep ? inKeep : inCache).Set(piece);
                if (pieces.Absent[piece])
                    inKeep.Set(piece);
            }
        }

        if (kept)
            pieces.Kept?.SaveResumeData(inKeep);
        if (cache)
            pieces.Cache!.SaveResumeData(inCache);
    }

    /// <summary>
    /// Frees the space of cached pieces that are no longer held, after removing them from the resume data. Call under the file's lock. On a
    /// full disk, which has no room for a new file, the torrent's resume data is removed, and the other pieces are recorded again once
    /// there is room.
    /// </summary>
    public void Free(TorrentPieces pieces, IReadOnlyList<int> gone)
    {
        var isSaved = true;
        try
        {
            Save(pieces, cache: true, kept: false);
        }
        catch (IOException)
        {
            metrics.WriteFailed();
            pieces.Cache!.DeleteResumeData();
            isSaved = false;
        }

        foreach (var piece in gone)
            pieces.Cache!.Free((long)piece * pieces.Info.PieceLength, pieces.Info.SizeOf(piece));
        if (!isSaved)
            Save(pieces, cache: true, kept: false);
    }

    /// <summary>True for the exceptions of a full, broken or missing disk.</summary>
    public static bool IsOfDisk(Exception error) => error is IOException or UnauthorizedAccessException or ObjectDisposedException;

    /// <summary>
    /// Syncs. If that fails, all pieces on disk that no earlier sync covered are dropped, and the torrent is notified: the system may have
    /// discarded data that it could not write, which then reads as zeros, and the next sync may succeed without it. Throws the exceptions
    /// of a full or broken disk, also if another sync of the torrent has failed since <paramref name="lost"/> was read.
    /// </summary>
    /// <param name="pieces">The torrent's pieces.</param>
    /// <param name="cache">True: sync the cache.</param>
    /// <param name="kept">True: sync the kept files.</param>
    /// <param name="lost"><see cref="TorrentPieces.FailedSyncs"/>, read before the data to be recorded was written.</param>
    public void Sync(TorrentPieces pieces, bool cache, bool kept, int lost)
    {
        var attempt = pieces.Events.Attempt;
        try
        {
            if (kept)
                pieces.Kept?.Flush();
            if (cache)
                pieces.Cache!.Flush();
        }
        catch (Exception error)
        {
            lock (gate)
            {
                pieces.FailedSyncs++;
                states.DropUnsynced(pieces);
            }

            pieces.Events.WriteFailed(error, attempt);
            throw;
        }

        lock (gate)
        {
            if (pieces.FailedSyncs != lost)
                throw new IOException("Another sync failed at the same time.");
        }
    }

    private bool CheckpointLocked(TorrentPieces pieces)
    {
        bool cache;
        bool kept;
        int lost;
        lock (gate)
        {
            lost = pieces.FailedSyncs;
            if (!pieces.HasUnclaimed)
                return lost == 0;
            (cache, kept) = states.BeginSync(pieces);
        }

        try
        {
            // Not under the file's lock: a sync takes long. Pieces written meanwhile are not recorded.
            Sync(pieces, cache, kept, lost);
        }
        catch (Exception error) when (IsOfDisk(error))
        {
            metrics.WriteFailed();
            return false;
        }

        try
        {
            lock (pieces.FileGate)
            {
                lock (gate)
                    states.EndSync(pieces);
                pieces.LateClaims = (pieces.LateClaims.Cache || cache, pieces.LateClaims.Kept || kept);
                Save(pieces, pieces.LateClaims.Cache, pieces.LateClaims.Kept);
                pieces.LateClaims = default;
            }
        }
        catch (Exception error) when (IsOfDisk(error))
        {
            metrics.WriteFailed();
            return false;
        }

        return pieces.FailedSyncs == 0;
    }
}

using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Records which pieces torrents have on disk (their claims). The order is safe against crashes: data is synced before it is claimed, and a
/// claim is withdrawn before its data is removed. The claims of a closed torrent do not change. Thread-safe.
/// </summary>
/// <param name="gate">The store's lock.</param>
/// <param name="metrics">Counts failed writes.</param>
/// <param name="dropUnsynced">Drops a torrent's pieces on disk that are not in <see cref="HeldPieces.Synced"/>. Called under the store's
/// lock.</param>
internal sealed class ResumeData(Lock gate, TorrentMetrics metrics, Action<HeldPieces> dropUnsynced)
{
    /// <summary>Syncs and claims a torrent's written pieces. Pieces that cannot be claimed now are tried again with the next call, unless
    /// their sync failed.</summary>
    /// <returns>True if all written pieces are claimed, and no sync has failed since the torrent was opened.</returns>
    public bool Checkpoint(HeldPieces pieces)
    {
        lock (pieces.ResumeGate)
            return CheckpointLocked(pieces);
    }

    /// <summary>
    /// Writes the claims, unless the torrent is closed. Call under the file's lock. Throws the exceptions of a full or broken disk.
    /// </summary>
    /// <param name="pieces">The torrent's pieces.</param>
    /// <param name="synced">Newly synced pieces, which are claimed from now on.</param>
    /// <param name="cache">Write the claims of the cache.</param>
    /// <param name="kept">Write the claims of the kept files.</param>
    public void Save(HeldPieces pieces, ReadOnlySpan<int> synced, bool cache, bool kept)
    {
        if (pieces.IsClosed)
            return;
        var (inCache, inKeep) = (new BitField(pieces.Info.PieceCount), new BitField(pieces.Info.PieceCount));
        lock (gate)
        {
            // A piece that left the disk and came back meanwhile is in the list of unsynced pieces again.
            foreach (var piece in synced)
            {
                if (pieces.Entries[piece] is { IsOnDisk: true } && !pieces.Unsynced.Contains(piece))
                    pieces.Synced.Set(piece);
            }

            for (var piece = 0; piece < pieces.Info.PieceCount; piece++)
            {
                if (pieces.Synced[piece] && pieces.Entries[piece] is { } entry)
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
    /// Frees the space of cached pieces that are no longer held, after withdrawing their claims. Call under the file's lock. On a full
    /// disk, which has no room for new claims, the file with all of the torrent's claims is removed, and the other pieces are claimed again
    /// once there is room.
    /// </summary>
    public void Free(HeldPieces pieces, IReadOnlyList<int> gone)
    {
        var isSaved = true;
        try
        {
            Save(pieces, [], cache: true, kept: false);
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
            Save(pieces, [], cache: true, kept: false);
    }

    /// <summary>Exceptions of a full, broken or missing disk.</summary>
    public static bool IsOfDisk(Exception error) => error is IOException or UnauthorizedAccessException or ObjectDisposedException;

    /// <summary>
    /// Syncs. If that fails, all pieces on disk that no earlier sync covered are dropped, and the torrent is notified: the system may have
    /// discarded data that it could not write, which then reads as zeros, and the next sync may succeed without it. Throws the exceptions
    /// of a full or broken disk, also if another sync of the torrent failed since <paramref name="lost"/> was read.
    /// </summary>
    /// <param name="pieces">The torrent's pieces.</param>
    /// <param name="cache">Sync the cache.</param>
    /// <param name="kept">Sync the kept files.</param>
    /// <param name="lost"><see cref="HeldPieces.FailedSyncs"/>, read before the data to be claimed was written.</param>
    public void Sync(HeldPieces pieces, bool cache, bool kept, int lost)
    {
        var attempt = pieces.Events.Attempt;
        try
        {
            if (kept)
                pieces.Kept?.Flush();
            if (cache)
                pieces.Cache!.Flush();
        }
        catch (Exception error) when (IsOfDisk(error))
        {
            lock (gate)
            {
                pieces.Unsynced.Clear();
                pieces.FailedSyncs++;
                dropUnsynced(pieces);
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

    private bool CheckpointLocked(HeldPieces pieces)
    {
        int[] unsynced;
        bool cache;
        bool kept;
        int lost;
        lock (gate)
        {
            lost = pieces.FailedSyncs;
            if (pieces.Unsynced.Count == 0)
                return pieces.FailedSyncs == 0;
            unsynced = [.. pieces.Unsynced];
            pieces.Unsynced.Clear();
            kept = Array.Exists(unsynced, piece => pieces.Entries[piece] is { IsOnDisk: true, IsInKeep: true });
            cache = Array.Exists(unsynced, piece => pieces.Entries[piece] is { IsOnDisk: true, IsInKeep: false });
        }

        try
        {
            // Not under the file's lock: a sync takes long. Pieces written meanwhile are not claimed.
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
                Save(pieces, unsynced, cache, kept);
        }
        catch (Exception error) when (IsOfDisk(error))
        {
            metrics.WriteFailed();
            lock (gate)
                pieces.Unsynced.AddRange(
                    unsynced.Where(piece => pieces.Entries[piece] is { IsOnDisk: true } && !pieces.Unsynced.Contains(piece)));
            return false;
        }

        return pieces.FailedSyncs == 0;
    }
}

using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// What torrents claim to have on disk. Order that a crash cannot turn round: data is synced before it is claimed; a claim is withdrawn before its data goes. What a torrent claims when it is closed stays as it is.
/// Thread-safe.
/// </summary>
/// <param name="gate">The store's lock.</param>
/// <param name="metrics">Told of what fails.</param>
internal sealed class PieceClaims(Lock gate, TorrentMetrics metrics)
{
    /// <summary>Syncs and claims what was written of a torrent. What cannot be claimed now is tried again with the next call.</summary>
    /// <returns>All that was written is claimed.</returns>
    public bool Checkpoint(HeldPieces pieces)
    {
        lock (pieces.ClaimGate)
            return CheckpointAlone(pieces);
    }

    /// <summary>Writes the claims anew, unless it was closed. Under the file's lock. Throws what a full or broken disk throws.</summary>
    /// <param name="pieces">Of which torrent.</param>
    /// <param name="synced">Pieces that are claimed from here on.</param>
    /// <param name="cache">Those of the cache are written.</param>
    /// <param name="kept">Those of the folder where it is kept are written.</param>
    public void Save(HeldPieces pieces, ReadOnlySpan<int> synced, bool cache, bool kept)
    {
        if (pieces.IsClosed)
            return;
        var (inCache, inKeep) = (new BitField(pieces.Info.PieceCount), new BitField(pieces.Info.PieceCount));
        lock (gate)
        {
            // One that left the disk and came back meanwhile is in the list of unsynced pieces again.
            foreach (var piece in synced)
            {
                if (pieces.Entries[piece] is { IsOnDisk: true } && !pieces.Unsynced.Contains(piece))
                    pieces.Synced.Set(piece);
            }

            for (var piece = 0; piece < pieces.Info.PieceCount; piece++)
            {
                if (pieces.Synced[piece] && pieces.Entries[piece] is { } entry)
                    (entry.IsInKeep ? inKeep : inCache).Set(piece);
            }
        }

        if (kept)
            pieces.Kept?.SaveClaims(inKeep);
        if (cache)
            pieces.Cache!.SaveClaims(inCache);
    }

    /// <summary>
    /// Frees pieces of the cache that are no longer held, after their claims are withdrawn. Under the file's lock. A full disk has no room for new claims: then all of the torrent's are withdrawn
    /// by removing them, and the others are claimed again once there is room.
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
            pieces.Cache!.DropClaims();
            isSaved = false;
        }

        foreach (var piece in gone)
            pieces.Cache!.Free((long)piece * pieces.Info.PieceLength, pieces.Info.SizeOf(piece));
        if (!isSaved)
            Save(pieces, [], cache: true, kept: false);
    }

    /// <summary>Exceptions of a full, broken or missing disk.</summary>
    public static bool IsOfDisk(Exception error) => error is IOException or UnauthorizedAccessException or ObjectDisposedException;

    private bool CheckpointAlone(HeldPieces pieces)
    {
        int[] unsynced;
        bool cache;
        bool kept;
        lock (gate)
        {
            if (pieces.Unsynced.Count == 0)
                return !pieces.HasLostSync;
            unsynced = [.. pieces.Unsynced];
            pieces.Unsynced.Clear();
            kept = Array.Exists(unsynced, piece => pieces.Entries[piece] is { IsOnDisk: true, IsInKeep: true });
            cache = Array.Exists(unsynced, piece => pieces.Entries[piece] is { IsOnDisk: true, IsInKeep: false });
        }

        try
        {
            // Not under the file's lock: syncing takes long, and whatever is written meanwhile is not claimed.
            if (kept)
                pieces.Kept?.Flush();
            if (cache)
                pieces.Cache!.Flush();
        }
        catch (Exception error) when (IsOfDisk(error))
        {
            // These pieces are never claimed: after a sync that failed, the next one may succeed without having written them.
            metrics.WriteFailed();
            pieces.HasLostSync = true;
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
                pieces.Unsynced.AddRange(unsynced.Where(piece => pieces.Entries[piece] is { IsOnDisk: true } && !pieces.Unsynced.Contains(piece)));
            return false;
        }

        return !pieces.HasLostSync;
    }
}

using System.Buffers;

namespace NzbDav.Torrents.Storage;

/// <summary>Moves pieces on disk from the cache to the kept files, and back.</summary>
internal sealed partial class PieceStore
{
    /// <summary>Bytes of a batch, after which the resume data is changed: each batch costs two syncs.</summary>
    private const int BatchBytes = 32 << 20;

    /// <summary>How long a move waits when readers are using all pieces of a batch.</summary>
    private static readonly TimeSpan ReaderPause = TimeSpan.FromMilliseconds(20);

    private void BeginMoving(TorrentPieces pieces)
    {
        lock (_gate)
        {
            var isElsewhere = !pieces.IsKept || IsElsewhere(pieces);
            if (pieces.Moving.IsCompleted && pieces is { IsClosing: false, Missing: null, Kept: not null } && isElsewhere)
                pieces.Moving = Task.Run(() => MoveAsync(pieces));
        }
    }

    /// <summary>True if a piece on disk is not where it belongs. Under the store's lock.</summary>
    private static bool IsElsewhere(TorrentPieces pieces) =>
        Array.Exists(pieces.Entries, entry => entry is { IsOnDisk: true } && entry.IsInKeep != pieces.IsKept);

    /// <summary>Moves pieces on disk to where they belong, batch by batch, until none is in the wrong place.</summary>
    private async Task MoveAsync(TorrentPieces pieces)
    {
        var attempt = pieces.Events.Attempt;
        try
        {
            while (true)
            {
                if (TryAdoptWhole(pieces))
                    continue;
                var (batch, keep) = DequeueBatch(pieces);
                if (batch.Count == 0)
                {
                    if (TryEndMoving(pieces, keep))
                        return;
                    continue;
                }

                if (!await MoveAsync(pieces, batch, keep))
                    await Task.Delay(ReaderPause, _time);
            }
        }
        catch (Exception error) when (ResumeData.IsOfDisk(error))
        {
            _metrics.WriteFailed();
            pieces.Events.WriteFailed(error, attempt);
        }
    }

    /// <summary>
    /// Ends the move when no piece is in the wrong place any more. If the torrent is no longer kept, removes the kept files. False if
    /// <see cref="Keep"/> was called meanwhile.
    /// </summary>
    private bool TryEndMoving(TorrentPieces pieces, bool keep)
    {
        lock (pieces.FileGate)
        {
            bool goes;
            lock (_gate)
            {
                // Pieces may have been written to the old place meanwhile.
                if (pieces is { IsClosing: false, Missing: null } && (pieces.IsKept != keep || IsElsewhere(pieces)))
                    return false;
                goes = !keep && pieces is { IsClosing: false, Missing: null }
                    && !Array.Exists(pieces.Entries, static entry => entry is { IsOnDisk: true, IsInKeep: true });
            }

            // Nothing is written there meanwhile, because that needs the file's lock. Deleted before the move is reported as complete.
            if (goes)
                pieces.Kept?.Delete();
            lock (_gate)
            {
                if (goes)
                    pieces.Kept = null;
                pieces.Moving = Task.CompletedTask;
            }

            return true;
        }
    }

    /// <summary>
    /// If the torrent has only one file, makes the cache's file the kept one by renaming it, unless it is being read right now.
    /// </summary>
    private bool TryAdoptWhole(TorrentPieces pieces)
    {
        lock (pieces.FileGate)
        {
            int lost;
            lock (_gate)
            {
                lost = pieces.FailedSyncs;
                var held = Array.FindAll(pieces.Entries, static entry => entry is { IsOnDisk: true });
                if (!pieces.WritesKept || pieces.IsClosing || held.Length == 0 || !pieces.Kept!.CanAdopt
                    || pieces.Cache!.DataPath is not { } data
                    || Array.Exists(held, static entry => entry!.IsInKeep || entry.DiskReads > 0))
                    return false;
                if (!pieces.Kept.TryAdopt(data))
                    return false;
                pieces.Cache.Dispose();
                foreach (var entry in held)
                    _states.Move(entry!, keep: true, isSynced: false);
            }

            Resume.Sync(pieces, cache: false, kept: true, lost);
            Resume.Save(pieces, cache: false, kept: true);
            Resume.Save(pieces, cache: true, kept: false);
            return true;
        }
    }

    private (List<PieceEntry> Batch, bool Keep) DequeueBatch(TorrentPieces pieces)
    {
        var batch = new List<PieceEntry>();
        lock (_gate)
        {
            var room = pieces is { IsClosing: false, Missing: null } ? BatchBytes : 0L;
            foreach (var entry in pieces.Entries)
            {
                if (room <= 0)
                    break;
                if (entry is not { IsOnDisk: true } || entry.IsInKeep == pieces.IsKept)
                    continue;
                _states.BeginRead(entry);
                batch.Add(entry);
                room -= pieces.Info.SizeOf(entry.Piece);
            }

            return (batch, pieces.IsKept);
        }
    }

    /// <summary>
    /// Copies a batch, syncs it and records it at the new place; then removes it from the old resume data and frees its space there. False
    /// if every piece of the batch is being read: try again later.
    /// </summary>
    private async Task<bool> MoveAsync(TorrentPieces pieces, List<PieceEntry> batch, bool keep)
    {
        var copied = new List<PieceEntry>();
        int lost;
        lock (_gate)
            lost = pieces.FailedSyncs;
        try
        {
            foreach (var entry in batch)
            {
                if (await CopyAsync(entry, pieces.Info.SizeOf(entry.Piece), keep))
                    copied.Add(entry);
            }

            if (copied.Count > 0)
                Resume.Sync(pieces, cache: !keep, kept: keep, lost);
        }
        catch
        {
            lock (_gate)
                Release(batch);
            throw;
        }

        var turned = new List<int>();
        lock (pieces.FileGate)
        {
            lock (_gate)
            {
                Release(batch);
                foreach (var entry in batch)
                {
                    // Skips a piece that is being read at its old place, and one that was dropped.
                    if (entry.DiskReads > 0 || !entry.IsOnDisk || entry.IsInKeep == keep)
                        continue;
                    turned.Add(entry.Piece);
                    if (copied.Contains(entry))
                        _states.Move(entry, keep, isSynced: true);
                    else
                        _states.LeaveDisk(entry, forRoom: true);
                }
            }

            Resume.Save(pieces, cache: !keep, kept: keep);
            Resume.Save(pieces, cache: keep, kept: !keep);
            PieceDisk source = keep ? pieces.Cache! : pieces.Kept!;
            foreach (var piece in turned)
                source.Free((long)piece * pieces.Info.PieceLength, pieces.Info.SizeOf(piece));
        }

        return turned.Count > 0;
    }

    /// <summary>
    /// Copies a piece. False if it was not copied: on the way back to the cache, only as much stays as there is room for.
    /// </summary>
    private async ValueTask<bool> CopyAsync(PieceEntry entry, int size, bool keep)
    {
        var pieces = entry.Owner;
        var offset = (long)entry.Piece * pieces.Info.PieceLength;
        if (keep)
        {
            lock (pieces.FileGate)
            {
                if (Miss(pieces, entry.Piece, failure: null))
                    throw new IOException(pieces.Missing);
                pieces.Cache!.CopyTo(pieces.Kept!, offset, size);
            }

            return true;
        }

        if (DiskBytes + size > DiskLimit)
            return false;
        var bytes = ArrayPool<byte>.Shared.Rent(size);
        try
        {
            if (await pieces.Kept!.ReadAsync(offset, bytes.AsMemory(0, size), CancellationToken.None) < size)
                return false;
            lock (pieces.FileGate)
                pieces.Cache!.Write(offset, bytes.AsSpan(0, size));
            return true;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    /// <summary>Under the store's lock.</summary>
    private void Release(List<PieceEntry> batch)
    {
        foreach (var entry in batch)
            _states.EndRead(entry);
    }
}

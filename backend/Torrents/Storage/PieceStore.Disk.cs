namespace NzbDav.Torrents.Storage;

/// <summary>Reads and writes pieces on disk.</summary>
internal sealed partial class PieceStore
{
    internal async ValueTask<int> ReadAsync(
        TorrentPieces pieces, int piece, int offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        PieceEntry entry;
        PieceDisk disk;
        lock (_gate)
        {
            if (pieces.Entries[piece] is not { IsOnDisk: true } held)
                return 0;
            entry = held;
            disk = DiskOf(entry);
            _states.BeginRead(entry);
        }

        var count = 0;
        string? failure = null;
        try
        {
            count = await disk.ReadAsync(((long)piece * pieces.Info.PieceLength) + offset, destination, cancellationToken);
            failure = count == 0 ? "A file is shorter than it was." : null;
        }
        catch (Exception error) when (ResumeData.IsOfDisk(error))
        {
            failure = error.Message;
        }
        finally
        {
            lock (_gate)
            {
                _states.EndRead(entry);

                // Dropped during the read: its file may have been created again since, with zeros.
                if (!entry.IsOnDisk)
                {
                    count = 0;
                }
                else if (failure is not null && disk is not KeptDisk)
                {
                    _states.LeaveDisk(entry, forRoom: false);
                }
            }
        }

        if (failure is not null && disk is KeptDisk)
        {
            lock (pieces.FileGate)
                Miss(pieces, piece, failure);
        }

        return count;
    }

    internal void Write(PieceEntry entry)
    {
        var (pieces, lane, size) = (entry.Owner, entry.Lane!, entry.Owner.Info.SizeOf(entry.Piece));
        var isTried = true;
        try
        {
            isTried = TryWrite(entry, pieces);

            // The limit may have been lowered during the write, while this piece did not count yet.
            if (DiskBytes > DiskLimit && lane == _lanes.Cache)
                Trim();
        }
        finally
        {
            lane.Count(-size);
            lock (_gate)
            {
                if (--pieces.WriteJobs == 0)
                {
                    pieces.Written?.SetResult();
                    pieces.Written = null;
                }
            }
        }

        // It was not written to the kept files then, but could be now.
        if (isTried || !pieces.WritesKept)
            return;
        RetryWrites(pieces);
    }

    /// <returns>False if the piece should be written to the kept files once they can be written to: it went to the cache or nowhere,
    /// because files are missing, or because the write failed before the torrent was told to fetch again.</returns>
    private bool TryWrite(PieceEntry entry, TorrentPieces pieces)
    {
        var (piece, size) = (entry.Piece, pieces.Info.SizeOf(entry.Piece));
        var attempt = pieces.Events.Attempt;
        Content.PooledBuffer buffer;
        var written = false;
        var isReserved = false;
        var isAway = false;
        bool keep;
        int lost;
        lock (_gate)
        {
            keep = pieces.WritesKept;
            lost = pieces.FailedSyncs;

            // The buffer is gone if the torrent was closed meanwhile.
            if (entry.Buffer is not { } held)
            {
                _admission.Release(Content.BufferPool.ClassOf(size));
                return true;
            }

            buffer = held;
            buffer.Retain();
        }

        try
        {
            var started = _time.GetTimestamp();
            isReserved = !keep && TryReserve(pieces, piece, size);
            lock (pieces.FileGate)
            {
                isAway = keep && Miss(pieces, piece, failure: null);
                PieceDisk? disk = isAway ? null : keep ? pieces.Kept : isReserved ? pieces.Cache : null;
                disk?.Write((long)piece * pieces.Info.PieceLength, buffer.Array.AsSpan(0, size));
                written = disk is not null;
                Written(entry, size, written, keep, isReserved, lost);
                isReserved = false;
            }

            _metrics.Written(_time.GetElapsedTime(started).Ticks);
        }
        catch (Exception error) when (ResumeData.IsOfDisk(error))
        {
            // A full or broken disk prevents storing, not reading: the piece stays in memory while there is room.
            _metrics.WriteFailed();
            Written(entry, size, written: false, keep, isReserved, lost);
            if (keep)
            {
                lock (pieces.FileGate)
                    isAway = Miss(pieces, piece, failure: null, failed: true);
            }

            if (!isAway)
                pieces.Events.WriteFailed(error, attempt);
        }
        finally
        {
            _admission.Release(buffer.Capacity);
            buffer.Release();
        }

        // A write that failed before the torrent was told to fetch again is repeated.
        return keep && !isAway && (written || pieces.Events.Attempt == attempt);
    }

    /// <summary>
    /// Syncs and records the written pieces of all torrents of a lane. For the cache's lane, first evicts pieces that readers no longer
    /// need, if the disk limit was lowered.
    /// </summary>
    /// <param name="lane">Null: all lanes.</param>
    internal void Checkpoint(WriteLane? lane = null)
    {
        if (lane is null || lane == _lanes.Cache)
        {
            EndWatches(WatchTime);
            if (DiskBytes > DiskLimit)
                Trim();
        }

        TorrentPieces[] torrents;
        lock (_gate)
            torrents = [.. _torrents.Where(pieces => pieces.HasUnclaimed && (lane is null || _lanes.Of(pieces) == lane))];
        foreach (var pieces in torrents)
            Resume.Checkpoint(pieces);
        lane?.EndCheckpoint();
    }

    /// <param name="entry">The piece.</param>
    /// <param name="size">Its bytes.</param>
    /// <param name="written">False if it could not be written.</param>
    /// <param name="keep">True if it was written to the kept files.</param>
    /// <param name="isReserved">True if room in the cache was reserved for it.</param>
    /// <param name="lost"><see cref="TorrentPieces.FailedSyncs"/>, read before it was written: a sync that failed meanwhile may have lost
    /// part of it.</param>
    private void Written(PieceEntry entry, int size, bool written, bool keep, bool isReserved, int lost)
    {
        lock (_gate)
        {
            if (isReserved)
                _reserved -= size;

            // The torrent may have been closed meanwhile.
            if (entry.State == StoredState.Writing)
                _states.EndWriting(entry, written && entry.Owner.FailedSyncs == lost, keep);
        }
    }
}

namespace NzbDav.Torrents.Storage;

/// <summary>Reads, writes and evicts pieces on disk.</summary>
internal sealed partial class PieceStore
{
    /// <summary>One thirty-second of the limit is evicted at a time: withdrawing claims costs a sync, so it should be rare.</summary>
    private const int EvictionShare = 32;

    internal async ValueTask<int> ReadAsync(HeldPieces pieces, int piece, int offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        PieceEntry entry;
        PieceDisk disk;
        lock (_gate)
        {
            if (pieces.Entries[piece] is not { IsOnDisk: true } held)
                return 0;
            entry = held;
            disk = DiskOf(entry);
            entry.DiskReads++;
            _victims.UseOnDisk(entry);
        }

        var count = 0;
        var failed = false;
        try
        {
            count = await disk.ReadAsync(((long)piece * pieces.Info.PieceLength) + offset, destination, cancellationToken);
            failed = count == 0;
        }
        catch (Exception error) when (PieceClaims.IsOfDisk(error))
        {
            failed = true;
        }
        finally
        {
            lock (_gate)
            {
                entry.DiskReads--;
                _victims.Changed(entry);

                // Dropped while it was read: the file may have been created again meanwhile.
                if (!entry.IsOnDisk)
                {
                    count = 0;
                }
                else if (failed)
                {
                    ForgetDisk(entry);
                    DropIfGone(entry, forRoom: false);
                }
            }
        }

        if (failed && disk is KeptDisk)
            TryDropLost(pieces, piece);
        return count;
    }

    internal void Write(PieceEntry entry)
    {
        var pieces = entry.Owner;
        try
        {
            TryWrite(entry, pieces);

            // The limit may have been lowered during the write, when this piece did not count yet.
            if (DiskBytes > DiskLimit)
                Trim();
        }
        finally
        {
            lock (_gate)
            {
                if (--pieces.Writing == 0)
                {
                    pieces.Written?.SetResult();
                    pieces.Written = null;
                }
            }
        }
    }

    private void TryWrite(PieceEntry entry, HeldPieces pieces)
    {
        var size = pieces.Info.SizeOf(entry.Piece);
        var attempt = pieces.News.Attempt;
        Content.PooledBuffer buffer;
        var written = false;
        var isReserved = false;
        bool keep;
        int lost;
        lock (_gate)
        {
            keep = pieces.IsKept;
            lost = pieces.LostSyncs;

            // The buffer is gone if the torrent was closed meanwhile.
            if (entry.Buffer is not { } held)
            {
                _admission.Leave(Content.BufferPool.ClassOf(size));
                return;
            }

            buffer = held;
            buffer.Retain();
        }

        try
        {
            var started = _time.GetTimestamp();
            isReserved = !keep && TryReserve(size);
            lock (pieces.FileGate)
            {
                if (keep)
                    DropLost(pieces, entry.Piece);
                PieceDisk? disk = keep ? pieces.Kept : isReserved ? pieces.Cache : null;
                disk?.Write((long)entry.Piece * pieces.Info.PieceLength, buffer.Array.AsSpan(0, size));
                written = disk is not null;
                Written(entry, size, written, keep, isReserved, lost);
                isReserved = false;
            }

            _metrics.Written(_time.GetElapsedTime(started).Ticks);
        }
        catch (Exception error) when (PieceClaims.IsOfDisk(error))
        {
            // A full or broken disk prevents storing, not reading: the piece stays in memory while there is room.
            _metrics.WriteFailed();
            Written(entry, size, written: false, keep, isReserved, lost);
            pieces.News.WriteFailed(error, attempt);
        }
        finally
        {
            _admission.Leave(buffer.Capacity);
            buffer.Release();
        }
    }

    /// <summary>Evicts pieces until the disk limit holds.</summary>
    internal void Trim()
    {
        try
        {
            MakeRoom(0);
        }
        catch (Exception error) when (PieceClaims.IsOfDisk(error))
        {
            // The disk is broken; the next checkpoint tries again.
            _metrics.WriteFailed();
        }
    }

    /// <summary>Syncs and claims the written pieces of all torrents. If the disk limit was lowered, first evicts pieces that readers no longer need.</summary>
    internal void Checkpoint()
    {
        if (DiskBytes > DiskLimit)
            Trim();
        HeldPieces[] torrents;
        lock (_gate)
            torrents = [.. _torrents.Where(static pieces => pieces.Unsynced.Count > 0)];
        foreach (var pieces in torrents)
            _claims.Checkpoint(pieces);
        Interlocked.Exchange(ref _isCheckpointing, false);
    }

    /// <param name="entry">The piece.</param>
    /// <param name="size">Its bytes.</param>
    /// <param name="written">False if it could not be written.</param>
    /// <param name="keep">It was written to the kept files.</param>
    /// <param name="isReserved">Room in the cache was reserved for it.</param>
    /// <param name="lost"><see cref="HeldPieces.LostSyncs"/> from before it was written: a part of it may have gone with a sync that failed meanwhile.</param>
    private void Written(PieceEntry entry, int size, bool written, bool keep, bool isReserved, int lost)
    {
        lock (_gate)
        {
            entry.IsWriting = false;
            _victims.Changed(entry);
            if (isReserved)
                _reserved -= size;
            if (!written || entry.Buffer is null || entry.IsOnDisk || entry.Owner.LostSyncs != lost)
                return;
            if (isReserved)
                _diskBytes += size;
            entry.IsInKeep = keep;
            _victims.UseOnDisk(entry);
            entry.Owner.Unsynced.Add(entry.Piece);
        }
    }

    /// <summary>Drops a torrent's pieces on disk that no sync has covered. Under the store's lock.</summary>
    private void DropUnsynced(HeldPieces pieces)
    {
        foreach (var entry in pieces.Entries)
        {
            if (entry is not { IsOnDisk: true } || pieces.Synced[entry.Piece])
                continue;
            ForgetDisk(entry);
            DropIfGone(entry, forRoom: false);
        }
    }

    /// <summary>Makes room for a piece and reserves it in one step, because another writing thread needs room of its own. False if nothing can be
    /// evicted.</summary>
    private bool TryReserve(int size)
    {
        MakeRoom(size);
        lock (_gate)
        {
            if (_diskBytes + _reserved + size > DiskLimit)
                return false;
            _reserved += size;
            return true;
        }
    }

    /// <summary>Evicts pieces until there is room for this many more bytes.</summary>
    private void MakeRoom(int size)
    {
        while (OverBy(size) > 0)
        {
            if (_resting is not null && TryDropResting(size))
                continue;
            HeldPieces? victim;
            lock (_gate)
                victim = _victims.OnDisk?.Owner;
            if (victim is null)
                return;
            lock (victim.FileGate)
            {
                if (OverBy(size) is > 0 and var over && !Evict(victim, Math.Max(over, DiskLimit / EvictionShare)))
                    return;
            }
        }
    }

    /// <summary>Bytes that have to go before there is room for this many more; not above zero: none.</summary>
    private long OverBy(int size) => DiskBytes + Interlocked.Read(ref _reserved) + size - DiskLimit;

    /// <summary>
    /// Drops the torrent unused for longest, unless another thread has made the room meanwhile: nothing goes twice for the same bytes. False if
    /// none is left.
    /// </summary>
    private bool TryDropResting(int size)
    {
        string? gone;
        lock (_gate)
        {
            if (OverBy(size) <= 0)
                return true;
            if (!_resting!.TryFindOldest(out var hash))
                return false;
            gone = ForgetResting(hash);
        }

        if (gone is not null)
            RestingPieces.TryDelete(gone);
        return true;
    }

    /// <summary>Called under the victim's file lock, so that nothing is written to a range before it has been freed.</summary>
    private bool Evict(HeldPieces victim, long bytes)
    {
        var gone = new List<int>();
        lock (_gate)
        {
            while (bytes > 0 && _victims.OnDisk is { } entry && entry.Owner == victim)
            {
                bytes -= victim.Info.SizeOf(entry.Piece);
                gone.Add(entry.Piece);
                victim.Unsynced.Remove(entry.Piece);
                ForgetDisk(entry);
                DropIfGone(entry, forRoom: true);
            }
        }

        // Another thread was quicker, or the pieces are now being read.
        if (gone.Count == 0)
            return false;
        _claims.Free(victim, gone);
        _metrics.Evicted(gone.Count);
        return true;
    }
}

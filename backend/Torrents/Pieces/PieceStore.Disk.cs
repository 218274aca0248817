using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Pieces;

/// <summary>The part that touches files.</summary>
internal sealed partial class PieceStore
{
    /// <summary>A thirty-second of the disk's share leaves at once, so that withdrawing claims, which syncs, is rare.</summary>
    private const int EvictionShare = 32;

    internal async ValueTask<int> ReadAsync(TorrentPieces pieces, int piece, int offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        PieceEntry entry;
        lock (_gate)
        {
            if (pieces.Entries[piece] is not { IsOnDisk: true } held)
                return 0;
            entry = held;
            entry.DiskReads++;
            _disk.Remove(entry.OnDisk);
            _disk.AddLast(entry.OnDisk);
        }

        var count = 0;
        var failed = false;
        try
        {
            Microsoft.Win32.SafeHandles.SafeFileHandle file;
            lock (pieces.FileGate)
                file = pieces.OpenFile();
            count = await RandomAccess.ReadAsync(file, destination, ((long)piece * pieces.Info.PieceLength) + offset, cancellationToken);
            failed = count == 0;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            failed = true;
        }
        finally
        {
            lock (_gate)
            {
                entry.DiskReads--;
                if (failed && entry.IsOnDisk)
                {
                    ForgetDisk(entry);
                    DropIfGone(entry, forRoom: false);
                }
            }
        }

        return count;
    }

    internal void Write(PieceEntry entry)
    {
        var pieces = entry.Owner;
        var size = pieces.Info.SizeOf(entry.Piece);
        Content.PooledBuffer buffer;
        var written = false;
        lock (_gate)
        {
            // A torrent that was closed meanwhile gave its buffers back.
            if (entry.Buffer is not { } held)
            {
                Interlocked.Add(ref _writing, -Content.BufferPool.ClassOf(size));
                return;
            }

            buffer = held;
            buffer.Retain();
        }

        try
        {
            var started = _time.GetTimestamp();
            MakeRoom(size);
            lock (pieces.FileGate)
            {
                if (DiskBytes + size <= DiskLimit)
                {
                    SlicedFile.Write(pieces.OpenFile(), buffer.Array.AsSpan(0, size), (long)entry.Piece * pieces.Info.PieceLength);
                    written = true;
                }

                Written(entry, size, written);
            }

            _metrics.Written(_time.GetElapsedTime(started).Ticks);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // A full or broken disk costs keeping, not reading: the piece stays in memory while there is room.
            _metrics.WriteFailed();
            Written(entry, size, written: false);
            pieces.News.WriteFailed(error.Message);
        }
        finally
        {
            Interlocked.Add(ref _writing, -buffer.Capacity);
            buffer.Release();
        }
    }

    /// <summary>Takes off the disk what is more than may be there.</summary>
    internal void Trim()
    {
        try
        {
            MakeRoom(0);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // A broken disk; the next checkpoint tries again.
            _metrics.WriteFailed();
        }
    }

    /// <summary>Syncs and claims what was written, for all torrents; what readers kept over a lower bound goes now, if they have passed.</summary>
    internal void Checkpoint()
    {
        if (DiskBytes > DiskLimit)
            Trim();
        TorrentPieces[] torrents;
        lock (_gate)
            torrents = [.. _torrents.Where(static pieces => pieces.Unsynced.Count > 0)];
        foreach (var pieces in torrents)
            Checkpoint(pieces);
    }

    private void Checkpoint(TorrentPieces pieces)
    {
        int[] unsynced;
        lock (_gate)
        {
            if (pieces.Unsynced.Count == 0)
                return;
            unsynced = [.. pieces.Unsynced];
            pieces.Unsynced.Clear();
        }

        try
        {
            // Data first. Not under the file's lock: syncing takes long, and whatever is written meanwhile is not claimed.
            Microsoft.Win32.SafeHandles.SafeFileHandle file;
            lock (pieces.FileGate)
                file = pieces.OpenFile();
            RandomAccess.FlushToDisk(file);
            lock (pieces.FileGate)
                SaveClaims(pieces, unsynced);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            _metrics.WriteFailed();
        }
    }

    /// <summary>Under the file's lock.</summary>
    private void SaveClaims(TorrentPieces pieces, ReadOnlySpan<int> synced)
    {
        lock (_gate)
        {
            // One that left the disk and came back meanwhile is in the list of unsynced pieces again.
            foreach (var piece in synced)
            {
                if (pieces.Entries[piece] is { IsOnDisk: true } && !pieces.Unsynced.Contains(piece))
                    pieces.Synced.Set(piece);
            }

            pieces.Claims.CopyFrom(pieces.Synced);
        }

        pieces.SaveClaims();
    }

    private void Written(PieceEntry entry, int size, bool written)
    {
        lock (_gate)
        {
            entry.IsWriting = false;
            if (!written || entry.Buffer is null || entry.IsOnDisk)
                return;
            _disk.AddLast(entry.OnDisk);
            entry.Owner.Unsynced.Add(entry.Piece);
            _diskBytes += size;
        }
    }

    /// <summary>Takes pieces off the disk until there is room.</summary>
    private void MakeRoom(int size)
    {
        while (DiskBytes + size - DiskLimit is > 0 and var over)
        {
            if (_resting is not null && TryDropResting())
                continue;
            TorrentPieces? victim;
            lock (_gate)
                victim = Victim()?.Owner;
            if (victim is null)
                return;
            lock (victim.FileGate)
            {
                if (!Evict(victim, Math.Max(over, DiskLimit / EvictionShare)))
                    return;
            }
        }
    }

    private bool TryDropResting()
    {
        InfoHash hash;
        lock (_gate)
        {
            if (!_resting!.TryFindOldest(out hash))
                return false;
        }

        Delete(hash);
        return true;
    }

    private PieceEntry? Victim()
    {
        PieceEntry? edge = null;
        foreach (var entry in _disk)
        {
            if (entry.Owner.Pins[entry.Piece] > 0 || entry.DiskReads > 0)
                continue;
            if (!entry.Owner.IsEdge(entry.Piece))
                return entry;
            edge ??= entry;
        }

        return edge;
    }

    /// <summary>Under the victim's file lock: nothing is written to the places that are freed until they are free.</summary>
    private bool Evict(TorrentPieces victim, long bytes)
    {
        var gone = new List<int>();
        lock (_gate)
        {
            while (bytes > 0 && Victim() is { } entry && entry.Owner == victim)
            {
                bytes -= victim.Info.SizeOf(entry.Piece);
                gone.Add(entry.Piece);
                victim.Unsynced.Remove(entry.Piece);
                ForgetDisk(entry);
                DropIfGone(entry, forRoom: true);
            }
        }

        // Another thread was quicker, or the pieces are being read now.
        if (gone.Count == 0)
            return false;
        SaveClaims(victim, []);
        var file = victim.OpenFile();
        foreach (var piece in gone)
            HolePuncher.TryPunch(file, (long)piece * victim.Info.PieceLength, victim.Info.SizeOf(piece));
        _metrics.Evicted(gone.Count);
        return true;
    }
}

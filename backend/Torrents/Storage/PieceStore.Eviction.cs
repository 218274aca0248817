namespace NzbDav.Torrents.Storage;

/// <summary>Evicts pieces from disk.</summary>
internal sealed partial class PieceStore
{
    /// <summary>
    /// One thirty-second of the limit is evicted at a time: saving resume data costs a sync, so evictions should be rare.
    /// </summary>
    private const int EvictionShare = 32;

    /// <summary>Evicts pieces until the disk limit is met.</summary>
    internal void Trim()
    {
        try
        {
            MakeRoom(0);
        }
        catch (Exception error) when (ResumeData.IsOfDisk(error))
        {
            // The disk is broken; the next checkpoint tries again.
            _metrics.WriteFailed();
        }
    }

    /// <summary>
    /// Makes room for a piece and reserves that room, because another thread may be writing too. False if not enough can be evicted.
    /// </summary>
    private bool TryReserve(TorrentPieces pieces, int piece, int size)
    {
        MakeRoom(size);
        var watched = WatchedLimit();
        lock (_gate)
        {
            var limit = pieces.IsEdge(piece) || pieces.IsWatched(piece) ? watched : DiskLimit;
            if (DiskBytes + _reserved + size > limit)
                return false;
            _reserved += size;
            return true;
        }
    }

    /// <summary>Evicts pieces until there is room for this many more bytes.</summary>
    private void MakeRoom(int size)
    {
        while (OverBy(size, DiskLimit) > 0)
        {
            if (_resting is not null && TryDropResting(size))
                continue;
            TorrentPieces? victim;
            bool isLast;
            lock (_gate)
            {
                isLast = _states.OnDiskFirst is null;
                victim = _states.OnDisk?.Owner;
            }

            if (victim is null)
                return;
            lock (victim.FileGate)
            {
                var over = OverBy(size, isLast ? WatchedLimit() : DiskLimit);
                if (over > 0 ? !Evict(victim, Math.Max(over, DiskLimit / EvictionShare), isLast) : isLast)
                    return;
            }
        }
    }

    /// <summary>Bytes to evict before there is room for this many more. Zero or less: none.</summary>
    private long OverBy(int size, long limit) => DiskBytes + Interlocked.Read(ref _reserved) + size - limit;

    /// <summary>
    /// Drops the closed torrent unused for longest, unless another thread has made room meanwhile, so that no two torrents are dropped for
    /// the same bytes. False if none is left.
    /// </summary>
    private bool TryDropResting(int size)
    {
        string? gone;
        lock (_gate)
        {
            if (OverBy(size, DiskLimit) <= 0)
                return true;
            if (!_resting!.TryFindOldest(out var hash))
                return false;
            gone = ForgetResting(hash);
        }

        if (gone is not null)
            RestingPieces.TryDelete(gone);
        return true;
    }

    /// <summary>
    /// Evicts pieces of one torrent. Called under its file lock, so that nothing is written to a range before it has been freed. False if
    /// nothing was evicted.
    /// </summary>
    /// <param name="victim">The torrent.</param>
    /// <param name="bytes">Bytes to evict.</param>
    /// <param name="isLast">True: also those pieces that are evicted last.</param>
    private bool Evict(TorrentPieces victim, long bytes, bool isLast)
    {
        var gone = new List<int>();
        lock (_gate)
        {
            while (bytes > 0 && (isLast ? _states.OnDisk : _states.OnDiskFirst) is { } entry && entry.Owner == victim)
            {
                bytes -= victim.Info.SizeOf(entry.Piece);
                gone.Add(entry.Piece);
                _states.LeaveDisk(entry, forRoom: true);
            }
        }

        // Another thread was quicker, or the pieces are now being read.
        if (gone.Count == 0)
            return false;
        Resume.Free(victim, gone);
        _metrics.Evicted(gone.Count);
        return true;
    }
}

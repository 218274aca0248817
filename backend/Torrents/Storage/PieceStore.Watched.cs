using NzbDav.Torrents.Work;

namespace NzbDav.Torrents.Storage;

/// <summary>
/// Keeps pieces of watched files beyond the disk limit, while the disk has room. A client that gives pieces up at once looks, to the peers
/// that sent them, as if it lied about its progress, and some ban it.
/// </summary>
internal sealed partial class PieceStore
{
    /// <summary>How long a file counts as watched without a reader: players close one request and open the next.</summary>
    public static readonly TimeSpan WatchTime = TimeSpan.FromMinutes(5);

    private readonly Func<string, long?> _free;
    private long _watchedReserve;

    /// <summary>The last result of <see cref="WatchedLimit"/>.</summary>
    private long _watchedLimit;

    private int _watches;

    /// <summary>
    /// Bytes of the disk that must stay free if watched pieces are to exceed <see cref="DiskLimit"/>; 0: they never exceed it.
    /// </summary>
    public long WatchedReserve
    {
        get => Interlocked.Read(ref _watchedReserve);
        set
        {
            Interlocked.Exchange(ref _watchedReserve, value);
            if (value == 0)
                EndWatches(TimeSpan.Zero);
            if (DiskBytes > DiskLimit)
                _lanes.Cache.Add(new ActionJob<PieceStore>(static store => store.Trim(), this));
        }
    }

    /// <summary>See <see cref="TorrentPieces.Watch"/>.</summary>
    internal Watch? Watch(TorrentPieces pieces, int first, int last)
    {
        if (_folder is null || WatchedReserve == 0)
            return null;
        Watch? watch;
        lock (_gate)
        {
            watch = pieces.Watches.Find(watch => (watch.First, watch.Last) == (first, last));
            if (watch is null)
            {
                watch = new Watch(first, last);
                pieces.Watches.Add(watch);
                _watches++;
                _states.Reclassify(pieces, watch.First, watch.Last);
            }

            watch.Readers++;
        }

        WatchedLimit();
        return watch;
    }

    /// <summary>Call when a reader has left.</summary>
    internal void Unwatch(Watch watch)
    {
        lock (_gate)
        {
            watch.Readers--;
            watch.Since = _time.GetTimestamp();
        }
    }

    /// <summary>Ends watches that have had no reader for this long; with <see cref="TimeSpan.Zero"/>, all watches.</summary>
    private void EndWatches(TimeSpan after)
    {
        lock (_gate)
        {
            if (_watches == 0)
                return;
            foreach (var pieces in _torrents)
            {
                for (var i = pieces.Watches.Count - 1; i >= 0; i--)
                {
                    var watch = pieces.Watches[i];
                    if (after > TimeSpan.Zero && (watch.Readers > 0 || _time.GetElapsedTime(watch.Since) < after))
                        continue;
                    pieces.Watches.RemoveAt(i);
                    _watches--;
                    _states.Reclassify(pieces, watch.First, watch.Last);
                }
            }
        }
    }

    /// <summary>Most bytes on disk for watched pieces and the edges of files: more than the limit while something is watched and the
    /// reserve stays free.</summary>
    private long WatchedLimit()
    {
        var limit = DiskLimit;
        if (Volatile.Read(ref _watches) > 0 && WatchedReserve is > 0 and var reserve && _free(_folder!) is { } free)
            limit = Math.Max(limit, DiskBytes + free - reserve);
        Interlocked.Exchange(ref _watchedLimit, limit);
        return limit;
    }

    private static long? FreeOf(string folder)
    {
        try
        {
            return new DriveInfo(folder).AvailableFreeSpace;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}

using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>Adds up a torrent's transfers over all the times it is open. Not thread-safe.</summary>
/// <param name="totals">The stored totals.</param>
internal sealed class TorrentMeter(TorrentTotals totals)
{
    private object? _open;
    private (long Down, long Up) _last;
    private bool _wasSeeding;

    /// <summary>Totals as of the last sample.</summary>
    public TorrentTotals Totals { get; private set; } = totals;

    /// <summary>When a sample last found new transfers; null: none since the start.</summary>
    public DateTimeOffset? LastActive { get; private set; }

    /// <summary>True if the totals have changed since they were last stored.</summary>
    public bool IsChanged { get; private set; }

    /// <summary>Time since the last transfer while the torrent has been open.</summary>
    public TimeSpan Still { get; private set; }

    /// <summary>Takes a sample.</summary>
    /// <param name="open">Identifies the opened torrent; null: the torrent is not in its swarm.</param>
    /// <param name="down">Bytes from peers since it was opened.</param>
    /// <param name="up">Bytes to peers since it was opened.</param>
    /// <param name="isSeeding">True if the torrent is complete; if it is only streamed, once it is ready.</param>
    /// <param name="since">Time since the last sample.</param>
    /// <param name="now">Current time.</param>
    public void Sample(object? open, long down, long up, bool isSeeding, TimeSpan since, DateTimeOffset now)
    {
        if (open is null)
        {
            (_open, _wasSeeding, Still) = (null, false, TimeSpan.Zero);
            return;
        }

        var (seenDown, seenUp) = ReferenceEquals(open, _open) ? _last : default;
        var (moreDown, moreUp) = (Math.Max(0, down - seenDown), Math.Max(0, up - seenUp));
        var active = ReferenceEquals(open, _open) ? since : TimeSpan.Zero;
        var seeding = isSeeding && _wasSeeding ? active : TimeSpan.Zero;
        (_open, _last, _wasSeeding) = (open, (down, up), isSeeding);
        Totals = new TorrentTotals(
            Totals.Downloaded + moreDown, Totals.Uploaded + moreUp, Totals.Active + active, Totals.Seeding + seeding, moreUp > 0
                || !isSeeding ? TimeSpan.Zero : Totals.Idle + seeding);
        IsChanged |= moreDown > 0 || moreUp > 0 || active > TimeSpan.Zero;
        if (moreDown > 0 || moreUp > 0)
            (LastActive, Still) = (now, TimeSpan.Zero);
        else
            Still += active;
    }

    /// <summary>Call once the totals have been stored.</summary>
    public void Stored() => IsChanged = false;
}

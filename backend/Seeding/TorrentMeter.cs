using NzbDav.Catalog;

namespace NzbDav.Seeding;

/// <summary>Adds up what a torrent moves, over the times that it is opened. Not thread-safe.</summary>
/// <param name="totals">As stored.</param>
internal sealed class TorrentMeter(TorrentTotals totals)
{
    private object? _open;
    private (long Down, long Up) _seen;
    private bool _wasSeeding;

    /// <summary>As of the last look.</summary>
    public TorrentTotals Totals { get; private set; } = totals;

    /// <summary>When a look last found that something had moved; null: not since the start.</summary>
    public DateTimeOffset? LastActive { get; private set; }

    /// <summary>Something is to be stored.</summary>
    public bool IsChanged { get; private set; }

    /// <summary>How long nothing has moved while it was open.</summary>
    public TimeSpan Still { get; private set; }

    /// <summary>Looks.</summary>
    /// <param name="open">What tells this opening from another; null: not in its swarm.</param>
    /// <param name="down">Bytes from peers in this opening.</param>
    /// <param name="up">Bytes to peers in this opening.</param>
    /// <param name="isSeeding">It is complete.</param>
    /// <param name="since">Time since the last look.</param>
    /// <param name="now">The clock.</param>
    public void Look(object? open, long down, long up, bool isSeeding, TimeSpan since, DateTimeOffset now)
    {
        if (open is null)
        {
            (_open, _wasSeeding, Still) = (null, false, TimeSpan.Zero);
            return;
        }

        var (seenDown, seenUp) = ReferenceEquals(open, _open) ? _seen : default;
        var (moreDown, moreUp) = (Math.Max(0, down - seenDown), Math.Max(0, up - seenUp));
        var active = ReferenceEquals(open, _open) ? since : TimeSpan.Zero;
        var seeding = isSeeding && _wasSeeding ? active : TimeSpan.Zero;
        (_open, _seen, _wasSeeding) = (open, (down, up), isSeeding);
        Totals = new TorrentTotals(
            Totals.Downloaded + moreDown, Totals.Uploaded + moreUp, Totals.Active + active, Totals.Seeding + seeding, moreUp > 0 || !isSeeding ? TimeSpan.Zero : Totals.Idle + seeding);
        IsChanged |= moreDown > 0 || moreUp > 0 || active > TimeSpan.Zero;
        if (moreDown > 0 || moreUp > 0)
            (LastActive, Still) = (now, TimeSpan.Zero);
        else
            Still += active;
    }

    /// <summary>It has been stored.</summary>
    public void Stored() => IsChanged = false;

    /// <summary>It begins anew: the torrent was removed and added again.</summary>
    public void Restart(TorrentTotals from) => Totals = from;
}

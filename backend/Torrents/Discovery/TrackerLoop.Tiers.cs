using System.Net;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <content>The set of its trackers.</content>
internal sealed partial class TrackerLoop
{
    /// <summary>The tracker that is asked first.</summary>
    public Uri First
    {
        get
        {
            lock (_gate)
                return _tiers[0][0];
        }
    }

    /// <summary>
    /// Gives it all trackers of a private torrent. It keeps to the one that answers, and peers of another are dropped (BEP 27). Thread-safe.
    /// </summary>
    public void TakeOver(IEnumerable<IEnumerable<Uri>> tiers)
    {
        IReadOnlyList<IPEndPoint> peers;
        lock (_gate)
        {
            if (_switches)
                return;
            _switches = true;
            if (_current is { } current)
                tiers = tiers.Select(tier => tier.Contains(current) ? tier.OrderBy(tracker => tracker != current) : tier);
            _tiers = Take(tiers);
            peers = _peers;
        }

        _swarm.KeepOnly(peers, PeerSources.Incoming);
    }

    /// <summary>
    /// Replaces its trackers; there may be none. The one that answered stays the first of its tier if it is still there; otherwise the next is asked at once.
    /// Thread-safe.
    /// </summary>
    public void Exchange(IEnumerable<IEnumerable<Uri>> tiers)
    {
        lock (_gate)
        {
            var keeps = _current is { } current && tiers.Any(tier => tier.Contains(current));
            _tiers = Take(keeps ? tiers.Select(tier => tier.OrderBy(tracker => tracker != _current)) : tiers);
            if (!keeps)
                _again.TrySetResult();
        }
    }

    private List<List<Uri>> Take(IEnumerable<IEnumerable<Uri>> tiers)
    {
        List<List<Uri>> taken = [.. tiers.Select(static tier => tier.ToList())];
        foreach (var tracker in taken.SelectMany(static tier => tier))
            _statuses.TryAdd(tracker, TrackerStatus.Of(tracker));
        return taken;
    }
}

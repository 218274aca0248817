using System.Security.Cryptography;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// The trackers of one torrent. All are asked in parallel, so that one that does not answer delays no other. Those of a private torrent are
/// asked in order, each with a short head start, and only one is used, as BEP 27 demands. May be replaced while the torrent is open.
/// </summary>
internal sealed class TorrentTrackers : IPeerFinder
{
    private readonly ITrackerClient _client;
    private readonly Swarm _swarm;
    private readonly uint _key = BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(4));
    private readonly Lock _gate = new();
    private readonly List<TrackerLoop> _all = [];
    private Uri[][] _tiers;
    private TrackerLoop[] _loops;
    private bool _isRestricted;
    private bool _isStarted;
    private bool _isClosed;

    /// <param name="client">Sends the requests.</param>
    /// <param name="swarm">Receives the peers.</param>
    /// <param name="tiers">Addresses by tier (BEP 12).</param>
    /// <param name="isPrivate">True if the torrent is known to be private.</param>
    public TorrentTrackers(ITrackerClient client, Swarm swarm, IReadOnlyList<IReadOnlyList<Uri>> tiers, bool isPrivate)
    {
        (_client, _swarm) = (client, swarm);
        _tiers = Distinct(tiers);

        // BEP 12: the trackers of a tier are shuffled when the torrent is opened.
        foreach (var tier in _tiers)
            RandomNumberGenerator.Shuffle<Uri>(tier);
        _loops = isPrivate && _tiers.Length > 0
            ? [Begin(_tiers)] : [.. _tiers.SelectMany(static tier => tier).Select(uri => Begin([[uri]]))];
        if (isPrivate)
            Restrict();
    }

    /// <summary>Addresses by tier (BEP 12).</summary>
    public IReadOnlyList<IReadOnlyList<Uri>> Tiers => Volatile.Read(ref _tiers);

    /// <summary>
    /// Replaces the trackers. Those that remain continue unchanged. Removed ones are sent "stopped": at once, or for a private torrent when
    /// it is closed. When a private torrent changes its tracker, the peers of the old tracker are dropped as soon as the new one answers
    /// (BEP 27).
    /// </summary>
    /// <param name="tiers">Addresses by tier (BEP 12); may be empty.</param>
    public void Use(IReadOnlyList<IReadOnlyList<Uri>> tiers)
    {
        lock (_gate)
        {
            if (_isClosed)
                return;
            _tiers = Distinct(tiers);
            if (!_isRestricted)
                UseSideBySide();
            else if (_loops is [var loop])
                loop.Exchange(_tiers);
            else if (_tiers.Length > 0)
                Volatile.Write(ref _loops, [Begin(_tiers)]);
            if (!_isStarted)
                return;
            foreach (var loop in _loops)
                loop.Start();
        }
    }

    public IReadOnlyList<TrackerStatus> List() =>
        [.. Volatile.Read(ref _loops).SelectMany(static loop => loop.Statuses)
            .Select(status => status with { Tier = Array.FindIndex(_tiers, tier => tier.Contains(status.Address!)) })];

    public string? Trouble
    {
        get
        {
            string? trouble = null;
            foreach (var loop in Volatile.Read(ref _loops))
            {
                foreach (var status in loop.Statuses)
                {
                    if (status.State != TrackerState.Failed)
                        return null;
                    trouble ??= $"The tracker {status.Url} refused: {status.Message}";
                }
            }

            return trouble;
        }
    }

    public void Start()
    {
        lock (_gate)
        {
            _isStarted = true;
            foreach (var loop in _loops)
                loop.Start();
        }
    }

    public void FindNow()
    {
        foreach (var loop in Volatile.Read(ref _loops))
            loop.Reannounce();
    }

    /// <summary>
    /// Called when the torrent is private. Keeps one tracker, the first by tier that has answered, and leaves the others. Peers that only
    /// those reported are dropped.
    /// </summary>
    public void Restrict()
    {
        lock (_gate)
        {
            _isRestricted = true;
            if (_loops.Length == 0)
                return;
            var kept = Array.Find(_loops, static loop => loop.Statuses.Any(static status => status.State == TrackerState.Working))
                ?? _loops[0];
            foreach (var loop in _loops)
            {
                if (loop != kept)
                    _ = loop.DisposeAsync().AsTask();
            }

            Volatile.Write(ref _loops, [kept]);
            kept.SwitchTo(_tiers);
        }
    }

    /// <summary>Sends "stopped" to the trackers that know us, all at once. Takes eight seconds at most.</summary>
    public async ValueTask DisposeAsync()
    {
        TrackerLoop[] all;
        lock (_gate)
        {
            _isClosed = true;
            all = [.. _all];
        }

        await Task.WhenAll(all.Select(static loop => loop.DisposeAsync().AsTask()));
    }

    private static Uri[][] Distinct(IReadOnlyList<IReadOnlyList<Uri>> tiers)
    {
        var seen = new HashSet<Uri>();
        return [.. tiers.Select(tier => tier.Where(seen.Add).ToArray()).Where(static tier => tier.Length > 0)];
    }

    private TrackerLoop Begin(IEnumerable<IEnumerable<Uri>> tiers)
    {
        var loop = new TrackerLoop(_client, _swarm, tiers, _key);
        _all.Add(loop);
        return loop;
    }

    private void UseSideBySide()
    {
        var known = _loops.ToDictionary(static loop => loop.First);
        Volatile.Write(
            ref _loops, [.. _tiers.SelectMany(static tier => tier).Select(uri => known.Remove(uri, out var loop) ? loop : Begin([[uri]]))]);
        foreach (var gone in known.Values)
            _ = gone.DisposeAsync().AsTask();
    }
}

using System.Security.Cryptography;
using NzbDav.Torrents.Scheduling;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Discovery;

/// <summary>
/// The trackers of one torrent, asked side by side: one that does not answer holds up no other. Those of a private torrent are asked one after the other, as BEP 27 wants peers of one tracker only.
/// </summary>
internal sealed class TorrentTrackers : IPeerFinder
{
    private readonly Uri[][] _tiers;
    private readonly Lock _gate = new();
    private readonly TrackerLoop[] _all;
    private TrackerLoop[] _loops;

    /// <param name="client">Asks them.</param>
    /// <param name="swarm">Gets the peers.</param>
    /// <param name="tiers">Addresses by tier (BEP 12).</param>
    /// <param name="isPrivate">The torrent is known to be private.</param>
    public TorrentTrackers(ITrackerClient client, Swarm swarm, IReadOnlyList<IReadOnlyList<Uri>> tiers, bool isPrivate)
    {
        var key = BitConverter.ToUInt32(RandomNumberGenerator.GetBytes(4));
        var seen = new HashSet<Uri>();
        _tiers = [.. tiers.Select(tier => tier.Where(seen.Add).ToArray()).Where(static tier => tier.Length > 0)];

        // BEP 12: the trackers of a tier are shuffled when the torrent is opened.
        foreach (var tier in _tiers)
            RandomNumberGenerator.Shuffle<Uri>(tier);
        _all = _loops = isPrivate && _tiers.Length > 0
            ? [new TrackerLoop(client, swarm, _tiers, key)]
            : [.. _tiers.SelectMany(static tier => tier).Select(uri => new TrackerLoop(client, swarm, [[uri]], key))];
        if (isPrivate)
            Restrict();
    }

    /// <inheritdoc/>
    public IReadOnlyList<TrackerStatus> List() =>
        [.. Volatile.Read(ref _loops).SelectMany(static loop => loop.Statuses).Select(status => status with { Tier = Array.FindIndex(_tiers, tier => tier.Contains(status.Address!)) })];

    /// <inheritdoc/>
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

    /// <inheritdoc/>
    public void Start()
    {
        lock (_gate)
        {
            foreach (var loop in _loops)
                loop.Start();
        }
    }

    /// <inheritdoc/>
    public void AskNow()
    {
        foreach (var loop in Volatile.Read(ref _loops))
            loop.Reannounce();
    }

    /// <summary>
    /// The torrent is private: keeps to one tracker, the first by tier that answered, and leaves the others. Peers that only those named are dropped.
    /// </summary>
    public void Restrict()
    {
        lock (_gate)
        {
            if (_loops.Length == 0)
                return;
            var kept = Array.Find(_loops, static loop => loop.Statuses.Any(static status => status.State == TrackerState.Working)) ?? _loops[0];
            foreach (var loop in _loops)
            {
                if (loop != kept)
                    _ = loop.DisposeAsync().AsTask();
            }

            Volatile.Write(ref _loops, [kept]);
            kept.TakeOver(_tiers);
        }
    }

    /// <summary>Says goodbye to the trackers that were told of us, all at once and for two seconds at most.</summary>
    public async ValueTask DisposeAsync() => await Task.WhenAll(_all.Select(static loop => loop.DisposeAsync().AsTask()));
}

using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Connections that make room for others: those that were of least use.</summary>
internal sealed partial class Swarm : IConnectionHolder
{
    /// <summary>A torrent that is full exchanges its slowest peer for one that it does not know yet so often.</summary>
    private static readonly long TurnoverTicks = 30 * TimeSpan.TicksPerSecond;

    /// <summary>No peer has to go before it could show what it gives: choke rounds take ten seconds.</summary>
    private static readonly long TrialTicks = 30 * TimeSpan.TicksPerSecond;

    /// <summary>Seeds that part from a seed at once.</summary>
    private const int MostSeedsAtOnce = 8;

    private long _lastTurnover;
    private bool _wasRefused;

    /// <inheritdoc/>
    public bool IsUrgent => Readers.Windows.Count > 0 || Table is null;

    /// <inheritdoc/>
    public int CloseSlowest(int count)
    {
        lock (Gate)
            return CloseSlowest(count, "The connection made room for another torrent's.", long.MaxValue);
    }

    /// <inheritdoc/>
    public void PlaceFreed() => _dialler.Dial();

    /// <summary>The blocklist is another one.</summary>
    internal void CloseBlocked()
    {
        lock (Gate)
        {
            foreach (var peer in Peers)
            {
                if (Context.IsBlocked?.Invoke(peer.Remote.Address) == true)
                    peer.Connection.Close("The peer's address is on the blocklist.");
            }
        }
    }

    /// <summary>Adds peers that were reached before, and dials them if there is room.</summary>
    internal void AddSaved(IReadOnlyList<SavedPeer> peers)
    {
        lock (Gate)
        {
            foreach (var peer in peers)
                Book.Add(peer);
        }

        _dialler.Dial();
    }

    /// <summary>Fewer connections are allowed than there were: what those that go were asked for is asked of others.</summary>
    private void CloseSurplus()
    {
        var surplus = Peers.Count - Context.Options.MostPeers;
        if (surplus > 0)
            CloseSlowest(surplus - Peers.Count(static peer => peer.Connection.IsClosing), "There are more connections than are allowed.", long.MaxValue);
    }

    /// <summary>Neither side fetches anything of the other (BEP 21), and that will not change by itself.</summary>
    private bool IsMutualSeed(Peer peer) => _extensions.IsUploadOnly && (peer.HasAll || peer.Told.IsUploadOnly);

    /// <summary>All places are taken, and there are peers that were never tried, or long ago: the slowest gives its place up, and seeds that we have nothing to do with do so at once.</summary>
    private void TurnOver(long now)
    {
        if (Peers.Count >= Context.Options.MostPeers && (_wasRefused || Book.HasNext(now)) && Peers.Exists(IsMutualSeed))
            CloseSlowest(Math.Min(MostSeedsAtOnce, Peers.Count(IsMutualSeed)), "Neither of us wants anything of the other.", long.MaxValue);
        _wasRefused = false;
        if (Peers.Count < Context.Options.MostPeers || now - _lastTurnover < TurnoverTicks || !Book.HasNext(now))
            return;
        _lastTurnover = now;
        CloseSlowest(1, "The slowest peer made room for another.", now - TrialTicks);
    }

    private int CloseSlowest(int count, string reason, long joinedBefore)
    {
        var slowest = Peers.Where(peer => !peer.Connection.IsClosing && peer.Joined <= joinedBefore).OrderByDescending(IsMutualSeed).ThenBy(static peer => peer.Worth).ThenBy(static peer => peer.Joined).Take(count).ToArray();
        foreach (var peer in slowest)
            peer.Connection.Close(reason);
        return slowest.Length;
    }
}

using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Peers;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Closes connections to make room for others. <see cref="ConnectionManager"/> decides which; this part rates them.</summary>
internal sealed partial class Swarm
{
    /// <summary>A peer that has snubbed us for this long, in ticks, is useless.</summary>
    private static readonly long LongSnub = TimeSpan.TicksPerMinute;

    /// <summary>
    /// A peer counts as serving a reader if it has requests, or sent a block within this time: a reader with enough data ahead may request
    /// nothing for a while.
    /// </summary>
    private static readonly long ServedTicks = 2 * TimeSpan.TicksPerMinute;

    private readonly List<Peer> _candidates = [];
    private readonly List<ConnectionRating> _ratings = [];

    /// <inheritdoc/>
    public bool IsUrgent => Readers.Open > 0 || Table is null;

    /// <inheritdoc/>
    public int CloseLeastUseful(int count)
    {
        lock (Gate)
            return CloseLeastUseful(count, "The connection was closed to make room for another torrent.");
    }

    /// <inheritdoc/>
    public void PlaceFreed() => _dialler.Dial();

    /// <summary>Call when the blocklist has changed: closes connections to blocked addresses.</summary>
    internal void CloseBlocked()
    {
        lock (Gate)
        {
            foreach (var peer in Peers)
            {
                if (!peer.IsWebSeed && Context.IsBlocked?.Invoke(peer.Remote.Address) == true)
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

    /// <summary>Closes the least useful connections if the limit was lowered. Their requests go to other peers.</summary>
    private void CloseSurplus()
    {
        var surplus = Context.Connections.SurplusOf(this);
        if (surplus > 0)
            CloseLeastUseful(
                surplus - Peers.Count(static peer => peer.Connection.IsClosing), "There are more connections than the limit allows.");
    }

    /// <summary>Makes room if all connections are in use and there are known peers that are ready to be dialled.</summary>
    private void TurnOver(long now)
    {
        if (Context.Connections.IsFull(this) && Book.CountReady(now, out var priority) is > 0 and var ready)
            TurnOver(new Newcomers(ready - Peers.Count(static peer => peer.Connection.IsClosing), priority), now);
    }

    /// <summary>Admits an incoming peer. If all connections are in use, closes another one for it, or refuses it.</summary>
    private bool TryAdmit(IPEndPoint remote)
    {
        var admission = Context.Connections.TryAccept(this, remote.Address);
        if (admission is ConnectionAdmission.Admitted or ConnectionAdmission.AddressFull
            || TurnOver(new Newcomers(1, Book.PriorityOf(remote)), Now) == 0)
            return admission == ConnectionAdmission.Admitted;
        Context.Connections.Replace(this, remote.Address);
        return true;
    }

    private int TurnOver(Newcomers newcomers, long now)
    {
        List(now);
        var chosen = Context.Connections.TurnOver(this, _ratings, newcomers, _messages.IsUploadOnly);
        foreach (var i in chosen)
        {
            _candidates[i].Connection.Close(_ratings[i].Use switch
            {
                ConnectionUse.BothUpload or ConnectionUse.Indifferent => "Neither side wants anything from the other.",
                ConnectionUse.Snubbed => "The peer sent none of the blocks that were requested.",
                _ => "The slowest peer was closed to make room for another.",
            });
        }

        return chosen.Count;
    }

    private int CloseLeastUseful(int count, string reason)
    {
        List(Now);
        var last = Enumerable.Range(0, _ratings.Count).OrderBy(i => _ratings[i].Use).ThenBy(i => _ratings[i].RecentPayload)
            .ThenBy(i => _ratings[i].Priority).ThenBy(i => _ratings[i].Joined).Take(count).ToArray();
        foreach (var i in last)
            _candidates[i].Connection.Close(reason);
        return last.Length;
    }

    private void List(long now)
    {
        _candidates.Clear();
        _ratings.Clear();
        foreach (var peer in Peers)
        {
            if (peer.Connection.IsClosing || peer.IsWebSeed)
                continue;
            _candidates.Add(peer);
            _ratings.Add(
                new ConnectionRating(UseOf(peer, now), Book.PriorityOf(peer.Listening ?? peer.Remote), peer.RecentPayload, peer.Joined));
        }
    }

    private ConnectionUse UseOf(Peer peer, long now)
    {
        // Neither side fetches anything from the other (BEP 21), and that will not change by itself.
        if (_messages.IsUploadOnly && (peer.HasAll || peer.ExtensionHandshake.IsUploadOnly))
            return ConnectionUse.BothUpload;
        if (peer.SnubbedSince is { } since && now - since >= LongSnub)
            return ConnectionUse.Snubbed;

        // Any connected peer may still send the missing metadata.
        if (Table is not null && !peer.PeerInterested && !peer.AmInterested)
            return ConnectionUse.Indifferent;
        var serves = !peer.IsSnubbed && (peer.Outstanding > 0 || (peer.Downloaded > 0 && now - peer.LastBlock < ServedTicks));
        return serves && Readers.Open > 0 ? ConnectionUse.ServesReader : ConnectionUse.Wanted;
    }
}

using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Incoming peers, and peers that leave.</summary>
internal sealed partial class Swarm
{
    /// <summary>Most departed peers remembered of those that sent blocks (the latest): their blocks may turn out to be bad.</summary>
    private const int MostDeparted = 256;

    private const string Twice = "The peer is connected already.";

    /// <summary>Accepts an incoming peer. <paramref name="received"/> may contain its handshake.</summary>
    /// <param name="transport">Its connection.</param>
    /// <param name="received">Bytes received so far.</param>
    /// <param name="byAlias">It names the torrent by its alias.</param>
    public void Accept(ITransport transport, ReadOnlyMemory<byte> received, bool byAlias = false)
    {
        Peer? peer = null;
        lock (Gate)
        {
            if (!IsClosed && !Book.IsBanned(transport.Remote) && TryAdmit(transport.Remote))
                peer = Join(transport, listening: null, PeerSources.Incoming, byAlias);
        }

        if (peer is null)
            transport.Dispose();
        else
            Start(peer, received);
    }

    /// <summary>Adds a peer with a new connection. Under the gate.</summary>
    public Peer Join(ITransport transport, IPEndPoint? listening, PeerSources sources, bool byAlias = false)
    {
        var peer = new Peer(this, transport, ++_numbers, listening, sources, byAlias);
        Peers.Add(peer);
        return peer;
    }

    /// <summary>Sends our handshake and starts receiving. Outside the gate.</summary>
    public void Start(Peer peer, ReadOnlyMemory<byte> received)
    {
        if (!peer.HandshakeSent)
            peer.Outbox.Handshake(CreateHandshake(peer.ByAlias));
        peer.Outbox.Flush();
        _ = Task.Run(() => peer.Connection.RunAsync(received));
    }

    /// <inheritdoc/>
    OutboxBudget IPeerOwner.OutboxBudget => Context.OutboxBudget;

    public string? OnHandshake(Peer peer, in Handshake handshake)
    {
        if (handshake.Hash != Hash && handshake.Hash != Alias)
            return Another;
        if (handshake.PeerId == Context.PeerId)
        {
            lock (Gate)
                Book.Avoid(peer.Listening ?? peer.Remote);
            return "We are connected to ourselves.";
        }

        Metrics.HandshakeDone(Now - peer.Joined);
        lock (Gate)
        {
            peer.Identify(handshake.PeerId);
            foreach (var other in Peers)
            {
                if (!other.HandshakeDone || other.Connection.IsClosing || other.Id != peer.Id || !AreTwins(other, peer))
                    continue;
                if (!IsKept(peer))
                    return Twice;
                other.Connection.Close(Twice);
            }

            peer.AcceptHandshake(handshake, byAlias: handshake.Hash != Hash);
            if (peer.Listening is { } listening)
                Book.Reached(listening, peer.Encryption, peer.IsUtp, peer.ByAlias);
            _messages.SendInitialMessages(peer);
            if (handshake.Dht)
                SendDhtPort(peer);
            _exchange.OnPeersChanged();
            peer.MarkDirty();
        }

        return null;
    }

    /// <summary>
    /// True if two connections with the same peer id lead to one peer. A few clients give the same id to all of their users, and anybody
    /// can copy another's: two addresses of one family are two peers, and so are two ports that were dialled at one address.
    /// </summary>
    private static bool AreTwins(Peer one, Peer other)
    {
        if (one == other)
            return false;
        if (FamilyDials.IsSix(one.Remote.Address) != FamilyDials.IsSix(other.Remote.Address))
            return true;
        return one.Remote.Address.MapToIPv6().Equals(other.Remote.Address.MapToIPv6())
            && (one.Listening is null || other.Listening is null || one.Listening.Port == other.Listening.Port);
    }

    /// <summary>
    /// When two peers dial each other at the same time, both must close the same one of the two connections, or none is left. The one
    /// dialled by the peer with the greater id stays. If both were dialled by the same side, the newer one stays if that side's id is the
    /// greater. This is libtorrent's rule; no BEP defines one.
    /// </summary>
    private bool IsKept(Peer newer)
    {
        Span<byte> theirs = stackalloc byte[InfoHash.Size];
        Span<byte> ours = stackalloc byte[InfoHash.Size];
        newer.Id.CopyTo(theirs);
        Context.PeerId.CopyTo(ours);
        return newer.IsIncoming == theirs.SequenceCompareTo(ours) > 0;
    }

    /// <summary>One of two connections to a peer has ended. Its listening address passes to the other connection, or is not dialled for a
    /// while, because the same peer would answer there. Under the gate.</summary>
    private void OnTwinEnded(Peer peer, IPEndPoint listening, long now)
    {
        if (Peers.Find(other => other.Id == peer.Id && other.HandshakeDone && !other.Connection.IsClosing) is { Listening: null } twin
            && twin.Remote.Address.Equals(peer.Remote.Address))
            twin.SetListening(listening);
        else
            Book.PostponeTwin(listening, now);
    }

    public string? OnMessage(Peer peer, MessageId id, ReadOnlySpan<byte> payload)
    {
        lock (Gate)
            return _messages.Handle(peer, id, payload);
    }

    public void OnBatch(Peer peer, int received, int protocol)
    {
        Counters.AddReceived(received, protocol);
        var now = Now;
        bool dials;
        lock (Gate)
        {
            peer.OnReceived(now);
            if (peer.RequestCount > 0)
                Metrics.PipelineUsed(peer.Outstanding, peer.Pipeline.Limit(Picker!.Background));
            if (!RunScheduledWork(now))
                Picker?.Refill(peer, now);
            peer.Gather();
            (dials, _dialScheduled) = (_dialScheduled, false);
        }

        Flush();
        if (dials)
            _dialler.Dial();
    }

    /// <summary>Dials after this step, because addresses became known. Under the gate.</summary>
    public void ScheduleDial() => _dialScheduled = true;

    /// <summary>
    /// Checks the requests of waiting readers once, at the end of this step, because other peers can serve them now. Under the gate.
    /// </summary>
    public void ScheduleUrgent() => _urgentScheduled = true;

    /// <summary>Sends all peers more requests once, at the end of this step. Under the gate.</summary>
    public void ScheduleRefill() => _refillScheduled = true;

    /// <summary>Does the work that this step has scheduled. True if all peers were refilled. Under the gate.</summary>
    private bool RunScheduledWork(long now)
    {
        if (_urgentScheduled)
        {
            _urgentScheduled = false;
            CountExpected();
            Readers.RequestUrgentForWaiting();
        }

        if (!_refillScheduled)
            return false;
        _refillScheduled = false;
        Picker?.RefillAll(now);
        return true;
    }

    public void OnClosed(Peer peer, string reason)
    {
        LastDisconnectReason = reason;
        var now = Now;
        lock (Gate)
        {
            peer.Leave(reason, now);
            Peers.Remove(peer);
            if (peer.IsWebSeed)
                WebSeeds.OnPeerLeft(peer, now);
            else
                Context.Connections.Closed(this, (peer.Listening ?? peer.Remote).Address);
            if (peer.Pipeline.IsMeasured && !peer.IsWebSeed)
            {
                if (_departed.Count == MostDeparted)
                    _departed.RemoveAt(0);
                _departed[peer.Number] = peer.Listening ?? peer.Remote;
            }

            Counters.AddSent(peer.Outbox.BytesSent);
            _messages.OnPeerLeft(peer);
            _exchange.OnPeersChanged();
            if (peer.Listening is { } twin && reason == Twice)
                OnTwinEnded(peer, twin, now);
            else if (peer.Listening is { } silent && !peer.HandshakeDone)
                Book.OnDialUnanswered(silent, peer.IsUtp, now);
            else if (peer.Listening is { } listening)
                Book.Left(listening, peer.Pipeline.IsMeasured, now);
            Picker?.FindSources();
            ScheduleUrgent();
            ScheduleRefill();
            RunScheduledWork(now);
            EndIfEmpty();
        }

        StartWebSeeds();
        Flush();
        _dialler.Dial();
    }

    /// <summary>
    /// Saves addresses at which peers were reached. Does nothing for a private torrent, whose peers come from its tracker only (BEP 27), or
    /// before it is known whether the torrent is private. Outside the gate: it writes a file.
    /// </summary>
    internal void SavePeers()
    {
        if (Context.SavedPeers is not { } saved || Table is not { Info.IsPrivate: false })
            return;
        IReadOnlyList<SavedPeer> peers;
        lock (Gate)
            peers = Book.ListReached(SavedPeers.Most);
        lock (_saving)
        {
            if (peers.Count > 0)
                saved.Save(Hash, peers);
        }
    }

    /// <summary>Counts how many peers may soon be able to serve. Under the gate.</summary>
    public void CountExpected()
    {
        if (Picker is null)
            return;
        var expected = _dialler.Dialling;
        foreach (var peer in Peers)
        {
            // A peer that still chokes us after a few seconds is not expected to stop soon.
            if (peer.PeerChoking && Now - peer.Joined < 3 * TimeSpan.TicksPerSecond)
                expected++;
        }

        Picker.Expected = expected;
    }

    /// <summary>Completes the closing of the torrent if no peer or dial is left. Under the gate.</summary>
    public void EndIfEmpty()
    {
        if (IsClosed && Peers.Count == 0 && _dialler.Dialling == 0)
            _empty.TrySetResult();
    }

    private void Ban(int number, string reason)
    {
        if (WebSeeds.Blame(number))
            return;
        foreach (var peer in Peers)
        {
            if (peer.Number != number)
                continue;

            // A web seed that has just been removed has no address to ban.
            if (!peer.IsWebSeed)
                Book.Ban(peer.Listening ?? peer.Remote);
            peer.Connection.Close(reason);
            return;
        }

        // The peer left before the hash was checked.
        if (_departed.Remove(number, out var endpoint))
            Book.Ban(endpoint);
    }
}

using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Scheduling;

/// <summary>Incoming peers, and peers that leave.</summary>
internal sealed partial class Swarm
{
    /// <summary>Most peers remembered that sent blocks and have left (the latest): their blocks may turn out to be bad.</summary>
    private const int MostDeparted = 256;

    private const string Twice = "The peer is connected already.";

    /// <inheritdoc/>
    public Handshake Greeting => new(Hash, Context.PeerId, Fast: true, Extensions: true, Dht: NodePort(AddressFamily.InterNetwork) > 0 || NodePort(AddressFamily.InterNetworkV6) > 0);

    /// <summary>Accepts an incoming peer. <paramref name="received"/> may contain its handshake.</summary>
    public void Accept(ITransport transport, ReadOnlyMemory<byte> received)
    {
        Peer? peer = null;
        lock (Gate)
        {
            if (!IsClosed && !Book.IsBanned(transport.Remote) && TryTakeIn(transport.Remote))
                peer = Join(transport, listening: null, PeerSources.Incoming);
        }

        if (peer is null)
            transport.Dispose();
        else
            Start(peer, received);
    }

    /// <inheritdoc/>
    public Peer Join(ITransport transport, IPEndPoint? listening, PeerSources sources)
    {
        var peer = new Peer(this, transport, ++_numbers, listening, sources) { Joined = Now, LastHeard = Now };
        peer.DownRate.Look(TimeSpan.FromTicks(peer.Joined), 0);
        peer.UpRate.Look(TimeSpan.FromTicks(peer.Joined), 0);
        Peers.Add(peer);
        return peer;
    }

    /// <inheritdoc/>
    public void Start(Peer peer, ReadOnlyMemory<byte> received)
    {
        if (!peer.IsToldOurs)
            peer.Outbox.Handshake(Greeting);
        peer.Outbox.Flush();
        _ = Task.Run(() => peer.Connection.RunAsync(received));
    }

    public string? OnHandshake(Peer peer, in Handshake handshake)
    {
        if (handshake.Hash != Hash)
            return "The peer shares another torrent.";
        if (handshake.PeerId == Context.PeerId)
        {
            lock (Gate)
                Book.Avoid(peer.Listening ?? peer.Remote);
            return "We are connected to ourselves.";
        }

        Metrics.Greeted(Now - peer.Joined);
        lock (Gate)
        {
            foreach (var other in Peers)
            {
                if (other == peer || !other.IsGreeted || other.Connection.IsClosing || other.Id != handshake.PeerId)
                    continue;
                if (!IsKept(peer, handshake.PeerId))
                {
                    peer.Id = handshake.PeerId;
                    return Twice;
                }

                other.Connection.Close(Twice);
            }

            peer.Pipeline.Trip(Now - peer.Joined);
            peer.Id = handshake.PeerId;
            peer.Fast = handshake.Fast;
            peer.Extensions = handshake.Extensions;
            peer.IsGreeted = true;
            if (peer.Listening is { } listening)
                Book.Reached(listening, peer.Encryption);
            _messages.Tell(peer);
            if (handshake.Dht)
                TellNode(peer);
            _exchange.Changed();
            MarkDirty(peer);
        }

        return null;
    }

    /// <summary>
    /// When two peers dial each other at the same time, both must close the same one of the two connections, or none is left. The one dialled by the peer with
    /// the greater id stays. If both were dialled by the same side, the newer one stays if that side's id is the greater. This is libtorrent's rule; no BEP
    /// defines one.
    /// </summary>
    private bool IsKept(Peer newer, InfoHash id)
    {
        Span<byte> its = stackalloc byte[InfoHash.Size];
        Span<byte> ours = stackalloc byte[InfoHash.Size];
        id.CopyTo(its);
        Context.PeerId.CopyTo(ours);
        return newer.IsIncoming == its.SequenceCompareTo(ours) > 0;
    }

    /// <summary>One of two connections to a peer has ended. Its listening address passes to the other connection, or is not dialled for a while, because the
    /// same peer would answer there. Under the gate.</summary>
    private void LeaveTwin(Peer peer, IPEndPoint listening, long now)
    {
        if (Peers.Find(other => other.Id == peer.Id && other.IsGreeted && !other.Connection.IsClosing) is { Listening: null } twin && twin.Remote.Address.Equals(peer.Remote.Address))
            twin.Listening = listening;
        else
            Book.LeftTwin(listening, now);
    }

    public string? OnMessage(Peer peer, MessageId id, ReadOnlySpan<byte> payload)
    {
        lock (Gate)
            return _messages.Take(peer, id, payload);
    }

    public void OnBatch(Peer peer, int received, int protocol)
    {
        Counters.AddReceived(received, protocol);
        var now = Now;
        bool dials;
        lock (Gate)
        {
            peer.LastHeard = now;
            if (peer.Requests.Count > 0)
                Metrics.PipelineUsed(peer.Outstanding, peer.Pipeline.Limit(Scheduler!.Background));
            if (!Settle(now))
                Scheduler?.Refill(peer, now);
            peer.Gather();
            (dials, _dialsSoon) = (_dialsSoon, false);
        }

        Flush();
        if (dials)
            _dialler.Dial();
    }

    /// <inheritdoc/>
    public void DialSoon() => _dialsSoon = true;

    /// <inheritdoc/>
    public void HurrySoon() => _hurriesSoon = true;

    /// <inheritdoc/>
    public void RefillSoon() => _refillsSoon = true;

    /// <summary>Does what the messages of this step asked for. True if all peers were refilled. Under the gate.</summary>
    private bool Settle(long now)
    {
        if (_hurriesSoon)
        {
            _hurriesSoon = false;
            CountExpected();
            Readers.HurryWaiting();
        }

        if (!_refillsSoon)
            return false;
        _refillsSoon = false;
        Scheduler?.RefillAll(now);
        return true;
    }

    public void OnClosed(Peer peer, string reason)
    {
        LastFarewell = reason;
        var now = Now;
        lock (Gate)
        {
            peer.IsClosed = true;
            peer.ClosedBecause = reason;
            Blocks.Abandon(peer);
            Scheduler?.Ledger.RemoveAll(peer, now);
            Peers.Remove(peer);
            Context.Connections.Closed(this, (peer.Listening ?? peer.Remote).Address);
            if (peer.Pipeline.IsMeasured)
            {
                if (_departed.Count == MostDeparted)
                    _departed.RemoveAt(0);
                _departed[peer.Number] = peer.Listening ?? peer.Remote;
            }

            Counters.AddSent(peer.Outbox.BytesSent);
            _availability.Left(peer);
            _extensions.Left(peer);
            _exchange.Changed();
            if (peer.Listening is { } twin && reason == Twice)
                LeaveTwin(peer, twin, now);
            else if (peer.Listening is { } listening)
                Book.Left(listening, peer.Pipeline.IsMeasured, now);
            Reassign(peer);
            HurrySoon();
            RefillSoon();
            Settle(now);
            EndIfEmpty();
        }

        Flush();
        _dialler.Dial();
    }

    /// <summary>Saves addresses at which peers were reached. Not for a private torrent, whose peers come from its tracker only (BEP 27), nor before it is known
    /// whether the torrent is private. Outside the gate: it writes a file.</summary>
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

    /// <summary>Restricts a private torrent to peers that its tracker named, or that learned our address there (BEP 27). Peers named by a magnet link or
    /// another peer are dropped. Under the gate.</summary>
    private void Restrict()
    {
        Book.Restrict(PeerSources.Tracker | PeerSources.Incoming);
        foreach (var peer in Peers)
        {
            if (!Book.Allows(peer.Sources))
                peer.Connection.Close("The torrent is private: its peers come from its tracker alone.");
        }
    }

    /// <inheritdoc/>
    public void CountExpected()
    {
        if (Scheduler is null)
            return;
        var expected = _dialler.Dialling;
        foreach (var peer in Peers)
        {
            // A peer that still chokes us after a few seconds is not expected to stop soon.
            if (peer.ChokesUs && Now - peer.Joined < 3 * TimeSpan.TicksPerSecond)
                expected++;
        }

        Scheduler.Expected = expected;
    }

    /// <inheritdoc/>
    public void EndIfEmpty()
    {
        if (IsClosed && Peers.Count == 0 && _dialler.Dialling == 0)
            _empty.TrySetResult();
    }

    private void Ban(int number, string reason)
    {
        foreach (var peer in Peers)
        {
            if (peer.Number != number)
                continue;
            Book.Ban(peer.Listening ?? peer.Remote);
            peer.Connection.Close(reason);
            return;
        }

        // It left before the hash was checked.
        if (_departed.Remove(number, out var endpoint))
            Book.Ban(endpoint);
    }
}

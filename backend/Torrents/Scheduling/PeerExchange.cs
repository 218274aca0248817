using System.Buffers;
using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Peer exchange (BEP 11). Once a minute, each peer that supports it is told which peers we have connected to and lost; peers that we were
/// never connected to are not named. Nothing is sent before the torrent is known to be public. Received peers are accepted even before
/// that: a magnet link may have no other source, and a sender has the torrent and so knows that it is public. Used under the torrent's
/// lock.
/// </summary>
/// <param name="swarm">The torrent.</param>
internal sealed class PeerExchange(Swarm swarm)
{
    /// <summary>BEP 11: a message names at most fifty peers that were added and fifty that were dropped.</summary>
    public const int MostNamed = 50;

    /// <summary>Most peers read from a received message; BEP 11 lets the first one be longer.</summary>
    private const int MaxReceived = 100;

    private readonly ArrayBufferWriter<byte> _output = new(256);
    private readonly HashSet<IPEndPoint> _present = [];
    private readonly HashSet<IPEndPoint> _named = [];
    private readonly List<ExchangedPeer> _added = [];
    private readonly List<IPEndPoint> _dropped = [];
    private long _version;

    /// <summary>True if we accept peers from others, and announce that in our extension handshake.</summary>
    public bool IsOn => swarm.Context.Options.PeerExchange && swarm.Table is not { Info.IsPrivate: true };

    /// <summary>Call when peers have connected or left, or their addresses have become known.</summary>
    public void OnPeersChanged() => _version++;

    /// <summary>Sends messages to the peers that are due for one. Call once a second.</summary>
    public void SendPexIfDue(long now)
    {
        if (!IsOn || swarm.Table is null)
            return;
        foreach (var peer in swarm.Peers)
        {
            if (peer.ExtensionHandshake.ExchangeId == 0 || peer.IsClosed)
                continue;
            if (peer.Exchange.IsDue(_version, now))
                SendPex(peer, peer.Exchange, now);
        }
    }

    /// <summary>Handles a peer's message. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    public string? Handle(Peer peer, ReadOnlySpan<byte> payload, long now)
    {
        if (!IsOn)
            return null;
        if (!peer.Exchange.TryCountMessage(now))
            return peer.CountIdleMessage();
        _added.Clear();
        if (!ExchangeMessage.TryRead(payload, _added, MaxReceived))
            return "The peer sent a peer exchange message that cannot be read.";

        // A peer outside our network cannot know addresses inside it. Accepting them would let it make us probe our own network.
        var isLocal = LocalNetwork.Contains(peer.Remote.Address);
        var wantsNothing = swarm.Table is { Have.IsFull: true };
        foreach (var (endpoint, flags) in _added)
        {
            if ((isLocal || !LocalNetwork.Contains(endpoint.Address)) && !(wantsNothing && (flags & ExchangeFlags.Seed) != 0))
            {
                var (isReachable, speaksUtp) = ((flags & ExchangeFlags.Reachable) != 0, (flags & ExchangeFlags.Utp) != 0);
                swarm.Book.Add(endpoint, PeerSources.Exchange, isReachable, speaksUtp, peer.ByAlias);
            }
        }

        swarm.ScheduleDial();
        return null;
    }

    private void SendPex(Peer peer, ExchangeRecord record, long now)
    {
        _present.Clear();
        _named.Clear();
        _added.Clear();
        _dropped.Clear();
        _named.UnionWith(record.Named);
        var isLocal = LocalNetwork.Contains(peer.Remote.Address);
        var isAll = true;
        foreach (var other in swarm.Peers)
        {
            if (other == peer || !other.HandshakeDone || other.Connection.IsClosing || other.Listening is not { } listening)
                continue;

            // A link-local address needs its scope number, which only this machine knows.
            if (listening.Address.IsIPv6LinkLocal || (!isLocal && LocalNetwork.Contains(listening.Address)))
                continue;
            _present.Add(listening);
            if (_named.Contains(listening))
                continue;
            if (_added.Count < MostNamed)
                _added.Add(new ExchangedPeer(listening, FlagsOf(other)));
            else
                isAll = false;
        }

        foreach (var named in record.Named)
        {
            if (_present.Contains(named))
                continue;
            if (_dropped.Count < MostNamed)
                _dropped.Add(named);
            else
                isAll = false;
        }

        if (isAll)
            record.MarkCurrent(_version);
        if (_added.Count == 0 && _dropped.Count == 0)
            return;
        record.OnSent(_added.Select(static added => added.Endpoint), _dropped, now);
        _output.ResetWrittenCount();
        ExchangeMessage.Write(_output, _added, _dropped);
        peer.Outbox.Extended(peer.ExtensionHandshake.ExchangeId, _output.WrittenSpan);
        peer.MarkDirty();
    }

    private static ExchangeFlags FlagsOf(Peer peer) =>
        (peer.HasAll || peer.ExtensionHandshake.IsUploadOnly ? ExchangeFlags.Seed : 0)
        | (peer.ExtensionHandshake.PrefersEncryption || peer.Encryption != PeerEncryption.None ? ExchangeFlags.Encryption : 0)
        | (peer.IsUtp ? ExchangeFlags.Utp : 0)
        | (peer.IsIncoming ? 0 : ExchangeFlags.Reachable);
}

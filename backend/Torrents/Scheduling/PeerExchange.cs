using System.Buffers;
using System.Net;
using NzbDav.Torrents.Connections;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Peers;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Scheduling;

/// <summary>
/// Peer exchange (BEP 11): each peer that speaks it hears once a minute whose connections began and ended. Only of peers that we are connected to, and nothing before the torrent is known to be public.
/// What others tell is taken while it is not known yet, as a magnet link may have no other way to peers: who tells it has the torrent, and knows that it is public. Used under the torrent's lock.
/// </summary>
/// <param name="swarm">The torrent.</param>
internal sealed class PeerExchange(Swarm swarm)
{
    /// <summary>BEP 11: a message names at most fifty that came and fifty that went.</summary>
    public const int MostNamed = 50;

    /// <summary>Of a message that we are sent; BEP 11 lets the first one be longer.</summary>
    private const int MostTaken = 100;

    /// <summary>BEP 11.</summary>
    private const long Pause = TimeSpan.TicksPerMinute;

    private readonly ArrayBufferWriter<byte> _output = new(256);
    private readonly HashSet<IPEndPoint> _present = [];
    private readonly HashSet<IPEndPoint> _named = [];
    private readonly List<ExchangedPeer> _added = [];
    private readonly List<IPEndPoint> _dropped = [];
    private long _version;

    /// <summary>What others tell is taken, and they are told that they may.</summary>
    public bool IsOn => swarm.Context.Options.PeerExchange && swarm.Table is not { Info.IsPrivate: true };

    /// <summary>Peers came or went, or their addresses became known.</summary>
    public void Changed() => _version++;

    /// <summary>Once a second: tells who is to be told.</summary>
    public void Tell(long now)
    {
        if (!IsOn || swarm.Table is null)
            return;
        foreach (var peer in swarm.Peers)
        {
            if (peer.Told.ExchangeId == 0 || peer.IsClosed)
                continue;
            var record = peer.Exchange ??= new ExchangeRecord();
            if (record.Seen != _version && now >= record.NotBefore)
                Tell(peer, record, now);
        }
    }

    /// <summary>A peer tells of others. A sentence if it is to be let go.</summary>
    public string? Take(Peer peer, ReadOnlySpan<byte> payload, long now)
    {
        if (!IsOn)
            return null;
        if (!(peer.Exchange ??= new ExchangeRecord()).TryHear(now))
            return peer.CountNoise();
        _added.Clear();
        if (!ExchangeMessage.TryRead(payload, _added, MostTaken))
            return "The peer sent a peer exchange that cannot be read.";

        // A stranger cannot know who is in our network, but could have us knock there.
        var isLocal = LocalNetwork.Contains(peer.Remote.Address);
        var wantsNothing = swarm.Table is { Have.IsFull: true };
        foreach (var (endpoint, flags) in _added)
        {
            if ((isLocal || !LocalNetwork.Contains(endpoint.Address)) && !(wantsNothing && (flags & ExchangeFlags.Seed) != 0))
                swarm.Book.Add(endpoint, PeerSources.Exchange);
        }

        swarm.DialSoon();
        return null;
    }

    private void Tell(Peer peer, ExchangeRecord record, long now)
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
            if (other == peer || !other.IsGreeted || other.Connection.IsClosing || other.Listening is not { } listening)
                continue;

            // The number of the link, which the address is nothing without, is known to this machine alone.
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
            record.Seen = _version;
        if (_added.Count == 0 && _dropped.Count == 0)
            return;
        record.Named.RemoveAll(_dropped.Contains);
        record.Named.AddRange(_added.Select(static added => added.Endpoint));
        record.NotBefore = now + Pause;
        _output.ResetWrittenCount();
        ExchangeMessage.Write(_output, _added, _dropped);
        peer.Outbox.Extended(peer.Told.ExchangeId, _output.WrittenSpan);
        swarm.MarkDirty(peer);
    }

    private static ExchangeFlags FlagsOf(Peer peer) =>
        (peer.HasAll || peer.Told.IsUploadOnly ? ExchangeFlags.Seed : 0)
        | (peer.Told.PrefersEncryption || peer.Encryption != PeerEncryption.None ? ExchangeFlags.Encryption : 0)
        | (peer.IsIncoming ? 0 : ExchangeFlags.Reachable);
}

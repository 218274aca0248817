using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>What others send: answers to our queries, and their own.</summary>
internal sealed partial class DhtNetwork
{
    /// <summary>Nodes taken from one answer; a truthful one has eight.</summary>
    private const int MostNodes = 20;

    /// <summary>Peers in one answer: with the nodes it still fits a packet of the Internet's least size.</summary>
    private const int MostTold = 50;

    private readonly DhtTokens _tokens = new();
    private readonly DhtPeerStore _store = new();
    private readonly DhtAllowance _allowance = new();

    private bool Take(DatagramAddress from, ReadOnlySpan<byte> datagram)
    {
        if (!DhtMessage.TryRead(datagram, out var message))
            return false;
        List<Action> calls;
        lock (_gate)
        {
            if (IsActive && FamilyOf(from) is { } family)
            {
                if (message.Kind == (byte)'q')
                    TakeQuery(family, from, message);
                else
                    TakeAnswer(from, message);
            }

            calls = _calls;
            if (calls.Count > 0)
                _calls = [];
        }

        foreach (var call in calls)
            call();
        return true;
    }

    private void TakeAnswer(DatagramAddress from, in DhtMessage message)
    {
        if (message.Transaction.Length != 4)
            return;
        var number = BitConverter.ToUInt32(message.Transaction);
        if (!_pending.TryGetValue(number, out var pending) || pending.To != from)
            return;
        _pending.Remove(number);
        var now = Now;
        _clock.Took(now - pending.Sent);
        var (family, lookup) = (pending.Family, pending.Lookup);
        if (message.Kind == (byte)'e' || message.Id is not { } id)
        {
            lookup?.Failed(pending.Candidate!);
        }
        else
        {
            family.Vote(from, message.Ours, now);
            if (!_routers.Contains(from))
                family.Table.Answered(new DhtContact(id, from), now);
            if (lookup is not null)
                Learn(lookup, pending.Candidate!, from, message);
        }

        if (lookup is not null)
            Step(lookup);
    }

    private void Learn(DhtLookup lookup, DhtCandidate candidate, DatagramAddress from, in DhtMessage message)
    {
        lookup.Answered(candidate, message.Token.Length is > 0 and <= 64 ? message.Token.ToArray() : null);
        Learn(4, message.Nodes);
        Learn(16, message.Nodes6);
        if (lookup.IsOver || lookup.Found is not { } found || message.Values is not { } values)
            return;
        var peers = lookup.Take(values.Where(peer => peer.IsUsable && (!peer.IsLocal || from.IsLocal)));
        if (peers.Count > 0)
            _calls.Add(() => found(peers));

        void Learn(int addressBytes, ReadOnlySpan<byte> nodes)
        {
            foreach (var contact in DhtContact.Read(nodes, addressBytes, MostNodes))
            {
                // A stranger must not send us into a private network.
                if (contact.Address.IsLocal && !from.IsLocal)
                    continue;
                if (contact.Address.Family == lookup.Family.Family)
                    lookup.Add(contact.Address, contact.Id);
                else if (FamilyOf(contact.Address) is { } other && IsReachable(other))
                    other.Lookups.Find(beside => beside.Target == lookup.Target)?.Add(contact.Address, contact.Id);
            }
        }
    }

    private void TakeQuery(DhtFamily family, DatagramAddress from, in DhtMessage message)
    {
        var now = Now;
        if (_tcpPort == 0 || message.Transaction.Length is 0 or > 32 || message.Id is not { } id || !_allowance.Allows(from, now))
            return;
        ReadOnlySpan<byte> answer;
        if (message.Query.SequenceEqual("ping"u8))
            answer = _writer.Answer(message.Transaction, family.Table.Own, from, nodes: null, nodes6: null, token: null, []);
        else if (message.Query.SequenceEqual("find_node"u8) && message.Target is { } target)
            answer = Nodes(family, from, message, target, token: null, []);
        else if (message.Query.SequenceEqual("get_peers"u8) && message.Target is { } wanted)
            answer = Nodes(family, from, message, wanted, _tokens.Make(from, now), _store.List(wanted, family.AddressBytes, MostTold, now));
        else if (message.Query.SequenceEqual("announce_peer"u8) && message.Target is { } torrent)
            answer = Announce(family, from, message, torrent, now);
        else
            answer = _writer.Error(message.Transaction, 204, "Method Unknown"u8);
        _channel.Send(from, answer);
        _allowance.Count(answer.Length);

        // Whoever asks may answer too: known once it has.
        if (!message.IsReadOnly && id != family.Table.Own && family.Table.Count < MostPending && _pending.Count < MostPending && !family.Table.Knows(from))
            Send(family, from, new DhtQuery(DhtQueryKind.Ping, default), lookup: null, candidate: null);
    }

    private ReadOnlySpan<byte> Nodes(DhtFamily family, DatagramAddress from, scoped in DhtMessage message, NodeId target, byte[]? token, List<DatagramAddress> values)
    {
        var (four, six) = message.Want is (false, false) ? (family.AddressBytes == 4, family.AddressBytes == 16) : message.Want;
        return _writer.Answer(
            message.Transaction,
            family.Table.Own,
            from,
            four ? _families[0].Table.Closest(target, RoutingTable.BucketSize) : null,
            six ? _families[1].Table.Closest(target, RoutingTable.BucketSize) : null,
            token,
            values);
    }

    private ReadOnlySpan<byte> Announce(DhtFamily family, DatagramAddress from, scoped in DhtMessage message, NodeId torrent, long now)
    {
        var peer = from.WithPort(message.HasImpliedPort ? from.Port : message.Port);
        if (!_tokens.IsValid(message.Token, from, now))
            return _writer.Error(message.Transaction, 203, "Bad Token"u8);
        if (peer.Port == 0)
            return _writer.Error(message.Transaction, 203, "No Port"u8);
        _store.Add(torrent, peer, now);
        if (_watchers.TryGetValue(torrent, out var found))
            _calls.Add(() => found([peer.ToEndPoint()]));
        return _writer.Answer(message.Transaction, family.Table.Own, from, nodes: null, nodes6: null, token: null, []);
    }
}

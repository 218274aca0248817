using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Received datagrams: answers to our queries, and others' queries.</summary>
internal sealed partial class DhtNetwork
{
    /// <summary>Most nodes taken from one answer; a correct answer has eight.</summary>
    private const int MostNodes = 20;

    private bool Take(DatagramAddress from, ReadOnlySpan<byte> datagram)
    {
        if (!DhtMessage.TryRead(datagram, out var message))
            return false;
        List<Action> calls;
        lock (_gate)
        {
            if (IsActive && message.Kind != (byte)'q')
                TakeAnswer(from, message);
            else if (IsActive && FamilyOf(from) is { } family)
                TakeQuery(family, from, message);

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
        var now = Now;
        if (_queries.Take(from, message.Transaction, now) is not { } pending)
            return;
        var (family, lookup) = (pending.Family, pending.Lookup);
        if (message.Kind == (byte)'e' || message.Id is not { } id)
        {
            lookup?.Failed(pending.Candidate!);
        }
        else
        {
            if (pending.Name is { } name)
                _routers.Learn(name, from);
            else
                family.Vote(from, message.Ours, now);
            if (pending.Name is null && !_routers.Contains(from))
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
                // A remote node must not direct us into a private network.
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
        if (_tcpPort == 0 || _responder.Answer(family, from, message, now, _calls) is not { } id)
            return;

        // A node that sends queries may answer ours too. It is added to the table once it has.
        if (!message.IsReadOnly && id != family.Table.Own && family.Table.Count < MostPending && _queries.Count < MostPending && !family.Table.Knows(from))
            Ping(family, from);
    }
}

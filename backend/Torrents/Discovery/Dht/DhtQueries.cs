using System.Net;
using System.Security.Cryptography;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>The queries that we have sent and that are not answered. Used under the DHT's lock.</summary>
/// <param name="channel">Sends.</param>
/// <param name="readOnly">Others are told that we answer nobody (BEP 43).</param>
internal sealed class DhtQueries(IDatagramChannel channel, bool readOnly)
{
    /// <summary>A transaction of ours has so many bytes: nobody who does not see the query guesses it.</summary>
    private const int TransactionBytes = 4;

    private readonly Dictionary<uint, DhtPending> _pending = [];
    private readonly DhtWriter _writer = new();
    private readonly DhtClock _clock = new();

    /// <summary>How many are not answered.</summary>
    public int Count => _pending.Count;

    /// <summary>Sends one to an address.</summary>
    public void Send(DhtFamily family, DatagramAddress to, in DhtQuery query, long now, DhtLookup? lookup = null, DhtCandidate? candidate = null) =>
        channel.Send(to, Write(new DhtPending(family, to, Name: null, now, lookup, candidate), query));

    /// <summary>Sends one to a name, which the relay looks up.</summary>
    public void Send(DhtFamily family, DnsEndPoint to, in DhtQuery query, long now, DhtLookup lookup, DhtCandidate candidate) =>
        channel.Send(to.Host, to.Port, Write(new DhtPending(family, default, to, now, lookup, candidate), query));

    /// <summary>The query that a message answers, which is pending no more; null if it answers none. Only who was asked may answer; a name may from anywhere.</summary>
    public DhtPending? Take(DatagramAddress from, ReadOnlySpan<byte> transaction, long now)
    {
        if (transaction.Length != TransactionBytes)
            return null;
        var number = BitConverter.ToUInt32(transaction);
        if (!_pending.TryGetValue(number, out var pending) || (pending.Name is null && pending.To != from))
            return null;
        _pending.Remove(number);
        _clock.Took(now - pending.Sent);
        return pending;
    }

    /// <summary>Tells nodes' searches what is late and what is lost.</summary>
    /// <returns>The searches that have a step to make.</returns>
    public HashSet<DhtLookup> GiveUp(long now)
    {
        var touched = new HashSet<DhtLookup>();
        foreach (var (number, pending) in _pending.ToArray())
        {
            var age = now - pending.Sent;
            if (age >= _clock.Lost)
            {
                _pending.Remove(number);
                pending.Family.Table.Failed(pending.To);
                pending.Lookup?.Failed(pending.Candidate!);
            }
            else if (age >= _clock.Slow && pending.Candidate is { IsSlow: false })
            {
                pending.Lookup!.Slow(pending.Candidate);
            }
            else
            {
                continue;
            }

            if (pending.Lookup is { IsOver: false } lookup)
                touched.Add(lookup);
        }

        return touched;
    }

    private ReadOnlySpan<byte> Write(DhtPending pending, scoped in DhtQuery query)
    {
        Span<byte> transaction = stackalloc byte[TransactionBytes];
        do
            RandomNumberGenerator.Fill(transaction);
        while (!_pending.TryAdd(BitConverter.ToUInt32(transaction), pending));
        return _writer.Query(query with { Transaction = transaction.ToArray() }, pending.Family.Table.Own, readOnly);
    }
}

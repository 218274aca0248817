using System.Net;
using System.Security.Cryptography;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Our queries that have not been answered. Used under the DHT's lock.</summary>
/// <param name="channel">Sends the queries.</param>
/// <param name="readOnly">True if queries say that we answer none ourselves (BEP 43).</param>
internal sealed class DhtQueries(IDatagramChannel channel, bool readOnly)
{
    /// <summary>Bytes of our transaction ids: too many to guess without seeing the query.</summary>
    private const int TransactionBytes = 4;

    private readonly Dictionary<uint, DhtPending> _pending = [];
    private readonly DhtWriter _writer = new();
    private readonly DhtClock _clock = new();

    /// <summary>Number of unanswered queries.</summary>
    public int Count => _pending.Count;

    /// <summary>Sends a query to an address.</summary>
    public void Send(DhtFamily family, DatagramAddress to, in DhtQuery query, long now, DhtLookup? lookup = null, DhtCandidate? candidate = null) =>
        channel.Send(to, Write(new DhtPending(family, to, Name: null, now, lookup, candidate), query));

    /// <summary>Sends a query to a name, which the relay resolves.</summary>
    public void Send(DhtFamily family, DnsEndPoint to, in DhtQuery query, long now, DhtLookup lookup, DhtCandidate candidate) =>
        channel.Send(to.Host, to.Port, Write(new DhtPending(family, default, to, now, lookup, candidate), query));

    /// <summary>Removes and returns the query that a message answers; null if there is none. Only the node asked may answer; for a name, any address
    /// may.</summary>
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

    /// <summary>Reports late and lost queries to their searches.</summary>
    /// <returns>The searches that can take a step.</returns>
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

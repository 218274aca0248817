using System.Net;
using System.Security.Cryptography;
using NzbDav.Content.Rates;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>Our unanswered queries. Used under the DHT's lock.</summary>
/// <param name="channel">Sends the queries.</param>
/// <param name="readOnly">True if queries declare that we answer none (BEP 43).</param>
internal sealed class DhtQueries(IDatagramChannel channel, bool readOnly)
{
    /// <summary>Length of our transaction ids in bytes: too many values to guess without seeing the query.</summary>
    private const int TransactionBytes = 4;

    private readonly Dictionary<uint, DhtPending> _pending = [];
    private readonly DhtWriter _writer = new();
    private readonly DhtClock _clock = new();

    /// <summary>Number of unanswered queries.</summary>
    public int Count => _pending.Count;

    /// <summary>Sends a query to an address.</summary>
    public void Send(
        DhtFamily family, DatagramAddress to, in DhtQuery query, long now, DhtLookup? lookup = null, DhtCandidate? candidate = null) =>
        channel.Send(to, Write(new DhtPending(family, to, Name: null, now, lookup, candidate), query));

    /// <summary>Sends a query to a host name, which the proxy resolves.</summary>
    public void Send(DhtFamily family, DnsEndPoint to, in DhtQuery query, long now, DhtLookup lookup, DhtCandidate candidate) =>
        channel.Send(to.Host, to.Port, Write(new DhtPending(family, default, to, now, lookup, candidate), query));

    /// <summary>
    /// Removes and returns the query that a message answers; null if there is none. Only the node that was asked may answer. For a host
    /// name, any address may answer.
    /// </summary>
    public DhtPending? Remove(DatagramAddress from, ReadOnlySpan<byte> transaction, long now)
    {
        if (transaction.Length != TransactionBytes)
            return null;
        var number = BitConverter.ToUInt32(transaction);
        if (!_pending.TryGetValue(number, out var pending) || (pending.Name is null && pending.To != from))
            return null;
        _pending.Remove(number);
        _clock.AddSample(now - pending.Sent);
        return pending;
    }

    /// <summary>Reports slow and lost queries to their searches.</summary>
    /// <returns>The searches that can continue.</returns>
    public HashSet<DhtLookup> Expire(long now)
    {
        var touched = new HashSet<DhtLookup>();
        foreach (var (number, pending) in _pending.ToArray())
        {
            var age = now - pending.Sent;
            if (age >= _clock.LostAfter)
            {
                _pending.Remove(number);
                pending.Family.Table.Failed(pending.To);
                pending.Lookup?.Failed(pending.Candidate!);
            }
            else if (age >= _clock.SlowAfter && pending.Candidate is { IsSlow: false })
            {
                pending.Lookup!.Slow(pending.Candidate);
            }
            else
            {
                continue;
            }

            if (pending.Lookup is { HasEnded: false } lookup)
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

/// <summary>A query that we send.</summary>
/// <param name="Kind">Its kind.</param>
/// <param name="Target">The id searched for; unused for a ping.</param>
internal readonly record struct DhtQuery(DhtQueryKind Kind, NodeId Target)
{
    /// <summary>For an announce: the token that the node gave us.</summary>
    public byte[]? Token { get; init; }

    /// <summary>TCP port to announce.</summary>
    public int Port { get; init; }

    /// <summary>True if nodes of both families are requested (BEP 32).</summary>
    public bool WantsBoth { get; init; }

    /// <summary>The transaction id; set when the query is sent.</summary>
    public byte[]? Transaction { get; init; }
}

/// <summary>The queries of BEP 5.</summary>
internal enum DhtQueryKind
{
    Ping,
    FindNode,
    GetPeers,
    AnnouncePeer,
}

/// <summary>An unanswered query. Used under the DHT's lock.</summary>
/// <param name="Family">The network in which it was sent.</param>
/// <param name="To">The address it was sent to; the default value for a host name.</param>
/// <param name="Name">The host name it was sent to; null = an address.</param>
/// <param name="Sent">When it was sent, in ticks of 100 ns.</param>
/// <param name="Lookup">The search that it is part of; null = none.</param>
/// <param name="Candidate">The search's candidate that was asked.</param>
internal sealed record DhtPending(
    DhtFamily Family, DatagramAddress To, DnsEndPoint? Name, long Sent, DhtLookup? Lookup, DhtCandidate? Candidate);

/// <summary>Time limits for nodes' answers, derived from round trips as in TCP (RFC 6298). Used under the DHT's lock.</summary>
internal sealed class DhtClock
{
    private static readonly long Least = 200 * TimeSpan.TicksPerMillisecond;
    private static readonly long Most = 1_500 * TimeSpan.TicksPerMillisecond;
    private RoundTripAverage _roundTrip;

    /// <summary>Ticks after which another node is asked as well. One second before the first measurement.</summary>
    public long SlowAfter => _roundTrip.IsKnown ? Math.Clamp(_roundTrip.Timeout, Least, Most) : TimeSpan.TicksPerSecond;

    /// <summary>Ticks after which an answer is no longer expected.</summary>
    public long LostAfter => Math.Max(3 * TimeSpan.TicksPerSecond, 4 * SlowAfter);

    /// <summary>Records the round trip of an answer.</summary>
    public void AddSample(long ticks) => _roundTrip.Add(ticks);
}

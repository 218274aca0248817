using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A query that has not been answered. Used under the DHT's lock.</summary>
/// <param name="Family">The network in which it was sent.</param>
/// <param name="To">The address it was sent to; none for a name.</param>
/// <param name="Name">The name that it was sent to; null = an address.</param>
/// <param name="Sent">When it was sent, in ticks of 100 ns.</param>
/// <param name="Lookup">The search it belongs to; null = none.</param>
/// <param name="Candidate">The candidate of the search.</param>
internal sealed record DhtPending(DhtFamily Family, DatagramAddress To, DnsEndPoint? Name, long Sent, DhtLookup? Lookup, DhtCandidate? Candidate);

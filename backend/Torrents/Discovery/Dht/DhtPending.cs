using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A query whose answer has not come. Used under the DHT's lock.</summary>
/// <param name="Family">Where it was sent.</param>
/// <param name="To">Whom it was sent to; none for a name.</param>
/// <param name="Name">The name that it was sent to; null = an address.</param>
/// <param name="Sent">When. Ticks of 100 ns.</param>
/// <param name="Lookup">For which search; null = for none.</param>
/// <param name="Candidate">The search's node.</param>
internal sealed record DhtPending(DhtFamily Family, DatagramAddress To, DnsEndPoint? Name, long Sent, DhtLookup? Lookup, DhtCandidate? Candidate);

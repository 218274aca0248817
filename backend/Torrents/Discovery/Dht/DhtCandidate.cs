using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A node that a lookup knows of. Used under the DHT's lock.</summary>
/// <param name="address">Its address; none if only its name is known.</param>
/// <param name="id">Its id; null if only its address is known.</param>
internal sealed class DhtCandidate(DatagramAddress address, NodeId? id)
{
    public DatagramAddress Address { get; } = address;

    /// <summary>Its name, if only the relay can resolve it; null if its address is known.</summary>
    public DnsEndPoint? Name { get; init; }

    public NodeId? Id { get; set; } = id;

    public bool IsAsked { get; set; }

    /// <summary>Slower than other nodes: others are asked in its place, but its answer still counts.</summary>
    public bool IsSlow { get; set; }

    public bool HasFailed { get; set; }

    public bool HasAnswered { get; set; }

    /// <summary>Token required to announce there.</summary>
    public byte[]? Token { get; set; }
}

using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>A node that a lookup knows of. Used under the DHT's lock.</summary>
/// <param name="address">Where it is; none for one that is known by its name.</param>
/// <param name="id">Its id; null for one that is known by its address alone.</param>
internal sealed class DhtCandidate(DatagramAddress address, NodeId? id)
{
    public DatagramAddress Address { get; } = address;

    /// <summary>Where it is, where only the relay can look that up; null for an address.</summary>
    public DnsEndPoint? Name { get; init; }

    public NodeId? Id { get; set; } = id;

    public bool IsAsked { get; set; }

    /// <summary>Did not answer as fast as nodes do; others are asked in its place, but it still may.</summary>
    public bool IsSlow { get; set; }

    public bool HasFailed { get; set; }

    public bool HasAnswered { get; set; }

    /// <summary>Allows to announce there.</summary>
    public byte[]? Token { get; set; }
}

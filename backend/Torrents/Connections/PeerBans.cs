using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace NzbDav.Torrents.Connections;

/// <summary>A torrent's banned peers. Used under its lock.</summary>
/// <param name="isBlocked">True for an address on the current blocklist; null = there is no blocklist.</param>
internal sealed class PeerBans(Func<IPAddress, bool>? isBlocked)
{
    private const int Most = 10_000;

    /// <summary>Banned peers at one IPv4 address, or in one /64 of IPv6, after which all peers there are banned.</summary>
    private const int MostOffences = 2;

    private readonly HashSet<IPEndPoint> _endpoints = [];
    private readonly Dictionary<UInt128, int> _offences = [];

    /// <inheritdoc cref="PeerBook.Ban"/>
    public void Add(IPEndPoint endpoint)
    {
        if (_endpoints.Count >= Most || !_endpoints.Add(endpoint) || IPAddress.IsLoopback(endpoint.Address))
            return;
        CollectionsMarshal.GetValueRefOrAddDefault(_offences, OffenderOf(endpoint.Address), out _)++;
    }

    /// <inheritdoc cref="PeerBook.Avoid"/>
    public void Avoid(IPEndPoint endpoint)
    {
        if (_endpoints.Count < Most)
            _endpoints.Add(endpoint);
    }

    /// <summary>True for an address on the blocklist.</summary>
    public bool IsBlocked(IPAddress address) => isBlocked is not null && isBlocked(address);

    /// <summary>True for a banned peer, and for an address on the blocklist.</summary>
    public bool Contains(IPEndPoint endpoint) =>
        IsBlocked(endpoint.Address) || _endpoints.Contains(endpoint)
        || _offences.GetValueOrDefault(OffenderOf(endpoint.Address)) >= MostOffences;

    /// <summary>
    /// The unit that a ban applies to: an IPv4 address, a /64 of IPv6, or a single address of a local IPv6 network, where neighbours share
    /// the /64.
    /// </summary>
    private static UInt128 OffenderOf(IPAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        var isFour = address.AddressFamily == AddressFamily.InterNetwork || address.IsIPv4MappedToIPv6;
        (isFour ? address.MapToIPv6() : address).TryWriteBytes(bytes, out _);
        if (!isFour && !LocalNetwork.Contains(address))
            bytes[8..].Clear();
        return BinaryPrimitives.ReadUInt128BigEndian(bytes);
    }
}

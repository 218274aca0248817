using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Connections;

/// <summary>
/// Counts connections by address and by network: the /24 of IPv4, the /64 of IPv6 (the network of one customer). Not thread-safe.
/// </summary>
internal sealed class AddressCounts
{
    private readonly Dictionary<IPAddress, int> _addresses = [];
    private readonly Dictionary<UInt128, int> _networks = [];

    /// <summary>Connections to the address.</summary>
    public int Of(IPAddress address) => _addresses.GetValueOrDefault(Plain(address));

    /// <summary>Connections to the address's network.</summary>
    public int OfNetwork(IPAddress address) => _networks.GetValueOrDefault(NetworkOf(Plain(address)));

    public void Add(IPAddress address)
    {
        address = Plain(address);
        _addresses[address] = _addresses.GetValueOrDefault(address) + 1;
        var network = NetworkOf(address);
        _networks[network] = _networks.GetValueOrDefault(network) + 1;
    }

    public void Remove(IPAddress address)
    {
        address = Plain(address);
        Remove(_addresses, address);
        Remove(_networks, NetworkOf(address));
    }

    private static IPAddress Plain(IPAddress address) => address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address;

    /// <summary>A number for each network; bit 64 distinguishes IPv6 from IPv4.</summary>
    private static UInt128 NetworkOf(IPAddress address)
    {
        Span<byte> bytes = stackalloc byte[16];
        address.TryWriteBytes(bytes, out _);
        if (address.AddressFamily == AddressFamily.InterNetwork)
            return ((UInt128)bytes[0] << 16) | ((UInt128)bytes[1] << 8) | bytes[2];
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt64BigEndian(bytes) | ((UInt128)1 << 64);
    }

    private static void Remove<TKey>(Dictionary<TKey, int> counts, TKey key)
        where TKey : notnull
    {
        if (!counts.TryGetValue(key, out var count))
            return;
        if (count > 1)
            counts[key] = count - 1;
        else
            counts.Remove(key);
    }
}

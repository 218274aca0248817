using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;

namespace NzbDav.Access.Outbound;

/// <summary>
/// The networks that this machine is in, public or not: their addresses may belong to this server, its router, or a neighbour that the
/// router's firewall protects. Thread-safe.
/// </summary>
/// <param name="interfaces">The addresses of this machine's interfaces, with the length of their networks' prefixes.</param>
/// <param name="time">Clock for the lifetime of the list.</param>
public sealed class OwnNetworks(Func<IReadOnlyList<(IPAddress Address, int PrefixLength)>> interfaces, TimeProvider time)
{
    /// <summary>Shortest prefix of an interface's network that counts: some tunnels claim half of all addresses.</summary>
    private const int WidestFour = 8;

    /// <summary>The same for IPv6: a customer's site has a /48 or less.</summary>
    private const int WidestSix = 48;

    /// <summary>
    /// Prefix length used for a single address, which DHCPv6 assigns to an interface: its network still has this length (RFC 4291).
    /// </summary>
    private const int UsualSix = 64;

    /// <summary>Age after which the list of interfaces is read again. Reading it takes about a millisecond.</summary>
    private static readonly TimeSpan Lifetime = TimeSpan.FromSeconds(10);

    private static readonly string[] LocalEndings = [".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost"];

    private volatile Snapshot? _snapshot;

    /// <summary>The networks that the system reports.</summary>
    public OwnNetworks()
        : this(List, TimeProvider.System)
    {
    }

    /// <summary>The public address of the router; null while it is not known. Set by the host.</summary>
    public Func<IPAddress?> Router { get; set; } = static () => null;

    /// <summary>
    /// True for a host name that only a local network knows: without a dot, or with an ending that public DNS does not have.
    /// </summary>
    public static bool IsLocalName(string host)
    {
        ArgumentNullException.ThrowIfNull(host);
        var name = host.AsSpan().TrimEnd('.');
        if (name.IsEmpty)
            return false;
        foreach (var ending in LocalEndings)
        {
            if (name.EndsWith(ending, StringComparison.OrdinalIgnoreCase))
                return true;
        }

        return !name.Contains('.') && !name.Contains(':');
    }

    /// <summary>
    /// True for an address of a private network (<see cref="PrivateNetworks"/>), of this machine, its router, or a network of its
    /// interfaces.
    /// </summary>
    public bool Contain(IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        var plain = PrivateNetworks.Plain(address);
        return PrivateNetworks.Contain(plain)
            || plain.Equals(Router())
            || Array.Exists(Current().Networks, network => network.Contains(plain));
    }

    /// <summary>
    /// The same for a peer of a torrent, except that public IPv4 neighbours do not count: a rented server shares its network with
    /// strangers, some of them good peers, and homes do not have such a network.
    /// </summary>
    public bool ContainPeer(IPAddress address)
    {
        ArgumentNullException.ThrowIfNull(address);
        var plain = PrivateNetworks.Plain(address);
        return plain.AddressFamily == AddressFamily.InterNetworkV6
            ? Contain(plain)
            : PrivateNetworks.Contain(plain) || Array.Exists(Current().Addresses, plain.Equals);
    }

    private static IPNetwork? NetworkOf(IPAddress address, int prefix)
    {
        var isFour = address.AddressFamily == AddressFamily.InterNetwork;
        if (prefix < (isFour ? WidestFour : WidestSix))
            return null;
        if (!isFour)
            prefix = Math.Min(prefix, UsualSix);
        var bytes = address.GetAddressBytes();
        for (var bit = prefix; bit < 8 * bytes.Length; bit++)
            bytes[bit / 8] &= (byte)~(0x80 >> (bit % 8));
        return new IPNetwork(new IPAddress(bytes), prefix);
    }

    private static List<(IPAddress Address, int PrefixLength)> List()
    {
        try
        {
            return
            [
                .. NetworkInterface.GetAllNetworkInterfaces().SelectMany(static device => device.GetIPProperties().UnicastAddresses)
                    .Select(static address => (address.Address, address.PrefixLength)),
            ];
        }
        catch (NetworkInformationException)
        {
            return [];
        }
    }

    private Snapshot Current()
    {
        if (_snapshot is { } known && time.GetElapsedTime(known.Since) < Lifetime)
            return known;
        var listed = interfaces();
        return _snapshot = new Snapshot(
            time.GetTimestamp(),
            [.. listed.Select(static one => PrivateNetworks.Plain(one.Address))],
            [
                .. listed.Select(static one => NetworkOf(new IPAddress(one.Address.GetAddressBytes()), one.PrefixLength))
                    .OfType<IPNetwork>(),
            ]);
    }

    private sealed record Snapshot(long Since, IPAddress[] Addresses, IPNetwork[] Networks);
}

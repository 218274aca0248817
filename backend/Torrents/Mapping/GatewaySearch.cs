using System.Net;
using System.Net.Sockets;
using System.Text;

namespace NzbDav.Torrents.Mapping;

/// <summary>Finds Internet Gateway Devices (UPnP Device Architecture 1.0, 1.2: SSDP).</summary>
/// <param name="gateway">The router, and our address in its network.</param>
/// <param name="group">Destination of the query: <see cref="Group"/>, or <see cref="GroupOfSix"/>.</param>
/// <param name="create">Creates sockets of the router's family; null = not allowed.</param>
/// <param name="time">Clock for repeats.</param>
internal sealed class GatewaySearch(Gateway gateway, IPEndPoint group, Func<SocketType, Socket?> create, TimeProvider time)
{
    /// <summary>Most bytes of an answer.</summary>
    private const int MostBytes = 4 << 10;

    /// <summary>Most devices whose descriptions are read.</summary>
    private const int MostDevices = 8;

    /// <summary>Number of queries. Devices answer within a second (MX), and datagrams get lost.</summary>
    private const int Attempts = 3;
    private static readonly TimeSpan Wait = TimeSpan.FromSeconds(1.2);

    private readonly string[] _targets =
    [
        "urn:schemas-upnp-org:device:InternetGatewayDevice:1",
        "urn:schemas-upnp-org:device:InternetGatewayDevice:2",
        .. GatewayService.TypesFor(gateway.Local),
    ];

    /// <summary>SSDP's group and port.</summary>
    public static IPEndPoint Group { get; } = new(IPAddress.Parse("239.255.255.250"), 1_900);

    /// <summary>SSDP's group and port for IPv6, on a single link: its scope is the gateway's.</summary>
    public static IPEndPoint GroupOfSix(Gateway gateway) =>
        new(new IPAddress(IPAddress.Parse("ff02::c").GetAddressBytes(), gateway.Scope), 1_900);

    private bool IsSix => gateway.Local.AddressFamily == AddressFamily.InterNetworkV6;

    /// <summary>
    /// Finds the URLs of device descriptions. The gateway's own answer ends the search; otherwise all answers that arrived in time are
    /// returned.
    /// </summary>
    /// <exception cref="SocketException">Nothing can be sent.</exception>
    /// <exception cref="ObjectDisposedException">The network has changed.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<IReadOnlyList<Uri>> FindAsync(CancellationToken cancellationToken)
    {
        using var socket = create(SocketType.Dgram);
        if (socket is null)
            return [];
        if (!socket.IsBound)
            socket.Bind(new IPEndPoint(gateway.Local, 0));

        // A TTL of four (UPnP Device Architecture 1.0, 1.1.2). The query leaves only by that network's interface.
        if (IsSix)
        {
            socket.SetSocketOption(SocketOptionLevel.IPv6, SocketOptionName.MulticastInterface, (int)gateway.Scope);
        }
        else
        {
            socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastTimeToLive, 4);
            socket.SetSocketOption(SocketOptionLevel.IP, SocketOptionName.MulticastInterface, gateway.Local.GetAddressBytes());
        }

        var found = new List<Uri>();
        for (var attempt = 0; attempt < Attempts && found.Count == 0; attempt++)
        {
            foreach (var target in _targets)
                await socket.SendToAsync(Question(target), group, cancellationToken);
            if (await ReceiveAsync(socket, found, cancellationToken) is { } own)
                return [own];
        }

        return found;
    }

    /// <summary>
    /// Reads one answer. Null if it is invalid, or refers to a host other than its sender. By IPv6 a router has several addresses on the
    /// link, so the host may be any address on the link.
    /// </summary>
    internal Uri? Read(ReadOnlySpan<byte> datagram, IPAddress from)
    {
        if (!from.Equals(gateway.Router) && !(IsSix ? gateway.IsOnLink(from) : Gateway.IsPrivate(from)))
            return null;
        var lines = Encoding.ASCII.GetString(datagram).Split("\r\n");
        if (!lines[0].StartsWith("HTTP/1.", StringComparison.Ordinal) || !lines[0].Contains(" 200", StringComparison.Ordinal)
            || !_targets.Contains(Header(lines, "ST")))
            return null;
        return Uri.TryCreate(Header(lines, "LOCATION"), UriKind.Absolute, out var location) && location.Scheme == Uri.UriSchemeHttp
            && IPAddress.TryParse(location.Host, out var host) && (host.Equals(from) || (IsSix && gateway.IsOnLink(host)))
                ? location : null;
    }

    private static string? Header(string[] lines, string name) =>
        Array.Find(lines, line => line.StartsWith(name + ":", StringComparison.OrdinalIgnoreCase))?[(name.Length + 1)..].Trim();

    private byte[] Question(string target) =>
        Encoding.ASCII.GetBytes(
            $"M-SEARCH * HTTP/1.1\r\nHOST: {(IsSix ? "[FF02::C]:1900" : group)}\r\nMAN: \"ssdp:discover\"\r\nMX: 1\r\nST: " +
            $"{target}\r\n\r\n");

    /// <summary>Receives answers until the time is up or the gateway itself has answered.</summary>
    private async Task<Uri?> ReceiveAsync(Socket socket, List<Uri> found, CancellationToken cancellationToken)
    {
        var buffer = new byte[MostBytes];
        using var patience = new CancellationTokenSource(Wait, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(patience.Token, cancellationToken);
        try
        {
            while (true)
            {
                var received = await socket.ReceiveFromAsync(
                    buffer, SocketFlags.None, new IPEndPoint(IsSix ? IPAddress.IPv6Any : IPAddress.Any, 0), either.Token);
                var from = ((IPEndPoint)received.RemoteEndPoint).Address;
                if (Read(buffer.AsSpan(0, received.ReceivedBytes), from) is not { } location)
                    continue;
                if (from.Equals(gateway.Router))
                    return location;
                if (found.Count < MostDevices && !found.Contains(location))
                    found.Add(location);
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }
}

using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>
/// Opens a pinhole for peers by IPv6 through UPnP (WANIPv6FirewallControl 1, part of Internet Gateway Device 2). All calls come from the
/// address that the pinhole is for, because routers refuse to open one for another address (2.6.4).
/// </summary>
/// <param name="gateway">The router, and our public address behind it.</param>
/// <param name="group">Destination of the search: <see cref="GatewaySearch.GroupOfSix"/>.</param>
/// <param name="create">Creates IPv6 sockets; null = not allowed.</param>
/// <param name="time">Drives time-outs.</param>
internal sealed class PinholeMapper(Gateway gateway, IPEndPoint group, Func<SocketType, Socket?> create, TimeProvider time) : IPortMapper
{
    /// <summary>The longest lease in seconds (2.5.9).</summary>
    private const int MostSeconds = 86_400;

    /// <summary>The router's id of each pinhole.</summary>
    private readonly Dictionary<MappingProtocol, string> _ids = [];
    private GatewayService? _service;

    public async Task<MappingOutcome> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken)
    {
        using var caller = new GatewayCaller(create, time, gateway.Local);
        try
        {
            if (lifetime <= TimeSpan.Zero)
            {
                if (_service is { } service && _ids.Remove(protocol, out var id))
                    await caller.CallAsync(service, "DeletePinhole", [("UniqueID", id)], cancellationToken);
                return MappingOutcome.Silence;
            }

            var known = _service;
            _service ??= await FindAsync(caller, cancellationToken);
            if (_service is null)
                return MappingOutcome.Silence;
            var outcome = await OpenAsync(caller, _service, protocol, port, lifetime, cancellationToken);
            if (outcome is not null || known is null)
                return outcome ?? MappingOutcome.Silence;

            // The router may have restarted and may offer its service at another port now.
            _service = await FindAsync(caller, cancellationToken);
            return _service is null
                ? MappingOutcome.Silence
                : await OpenAsync(caller, _service, protocol, port, lifetime, cancellationToken) ?? MappingOutcome.Silence;
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return MappingOutcome.Silence;
        }
    }

    private async Task<GatewayService?> FindAsync(GatewayCaller caller, CancellationToken cancellationToken)
    {
        foreach (var location in await new GatewaySearch(gateway, group, create, time).FindAsync(cancellationToken))
        {
            if (await caller.DescribeAsync(location, GatewayService.SixTypes, cancellationToken) is [var service, ..])
                return service;
        }

        return null;
    }

    /// <summary>Makes or renews a pinhole. Null if the router does not answer.</summary>
    private async Task<MappingOutcome?> OpenAsync(
        GatewayCaller caller, GatewayService service, MappingProtocol protocol, int port, TimeSpan lifetime,
        CancellationToken cancellationToken)
    {
        var lease = Text((int)Math.Min(MostSeconds, lifetime.TotalSeconds));
        if (_ids.TryGetValue(protocol, out var id))
        {
            if (await caller.CallAsync(
                service, "UpdatePinhole", [("UniqueID", id), ("NewLeaseTime", lease)], cancellationToken) is not { } renewed)
                return null;
            if (renewed.Values is not null)
                return Granted();

            // The pinhole has expired, or the router has restarted.
            _ids.Remove(protocol);
        }

        (string, string)[] arguments =
        [
            // Any host, from any port.
            ("RemoteHost", ""),
            ("RemotePort", "0"),
            ("InternalClient", gateway.Local.ToString()),
            ("InternalPort", Text(port)),

            // IANA's protocol numbers.
            ("Protocol", protocol == MappingProtocol.Tcp ? "6" : "17"),
            ("LeaseTime", lease),
        ];
        if (await caller.CallAsync(service, "AddPinhole", arguments, cancellationToken) is not { } answer)
            return null;
        if (answer.Values is null)
            return MappingOutcome.Refused($"UPnP: {answer.Reason}");
        _ids[protocol] = answer.Find("UniqueID") ?? "";
        return Granted();

        MappingOutcome Granted() => MappingOutcome.Granted(new PortLease(port, lifetime, MappingMethod.Upnp, gateway.Local));
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}

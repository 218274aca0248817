using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>Maps ports by UPnP (WANIPConnection 1 and 2, WANPPPConnection 1). Searches for the router's service first.</summary>
/// <param name="gateway">The router, and our address in its network.</param>
/// <param name="group">Destination of the search: <see cref="GatewaySearch.Group"/>.</param>
/// <param name="create">Creates IPv4 sockets; null = not allowed.</param>
/// <param name="time">Drives time-outs.</param>
internal sealed class UpnpMapper(Gateway gateway, IPEndPoint group, Func<SocketType, Socket?> create, TimeProvider time) : IPortMapper
{
    // WANIPConnection:2, 2.5.16 and 2.5.18; UPnP Device Architecture 1.0, 3.2.2.
    private const int InvalidAction = 401;
    private const int InvalidArguments = 402;
    private const int NotImplemented = 602;
    private const int Conflict = 718;
    private const int OnlyPermanent = 725;
    private const int ConflictElsewhere = 729;

    /// <summary>Most other ports tried if the requested one is in use.</summary>
    private const int MostConflicts = 6;

    private readonly Dictionary<MappingProtocol, int> _external = [];
    private GatewayService? _service;
    private bool _isPermanent;
    private bool _choosesPort = true;

    public async Task<MappingOutcome> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken)
    {
        using var caller = new GatewayCaller(create, time);
        try
        {
            if (lifetime <= TimeSpan.Zero)
            {
                await DeleteAsync(caller, protocol, cancellationToken);
                return MappingOutcome.Silence;
            }

            var known = _service;
            _service ??= await FindAsync(caller, cancellationToken);
            if (_service is null)
                return MappingOutcome.Silence;
            var outcome = await AddAsync(caller, _service, protocol, port, lifetime, cancellationToken);
            if (outcome is not null || known is null)
                return outcome ?? MappingOutcome.Silence;

            // The router may have restarted and may offer its service at another port now.
            _service = await FindAsync(caller, cancellationToken);
            return _service is null ? MappingOutcome.Silence : await AddAsync(caller, _service, protocol, port, lifetime, cancellationToken)
                ?? MappingOutcome.Silence;
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            return MappingOutcome.Silence;
        }
    }

    /// <summary>
    /// The first service with an external address, because a router may have one service per connection. Otherwise the best service.
    /// </summary>
    private async Task<GatewayService?> FindAsync(GatewayCaller caller, CancellationToken cancellationToken)
    {
        var services = new List<GatewayService>();
        foreach (var location in await new GatewaySearch(gateway, group, create, time).FindAsync(cancellationToken))
            services.AddRange(await caller.DescribeAsync(location, GatewayService.Types, cancellationToken));
        foreach (var service in services)
        {
            if (await AddressAsync(caller, service, cancellationToken) is not null)
                return service;
        }

        return services.FirstOrDefault();
    }

    /// <summary>Makes or renews a mapping. Null if the router does not answer.</summary>
    private async Task<MappingOutcome?> AddAsync(GatewayCaller caller, GatewayService service, MappingProtocol protocol, int port,
        TimeSpan lifetime, CancellationToken cancellationToken)
    {
        // The same external port for both protocols if possible, because only one is announced to trackers.
        var external = _external.TryGetValue(protocol, out var before) ? before : _external.GetValueOrDefault(MappingProtocol.Tcp, port);
        for (var conflicts = 0; ;)
        {
            var isAny = service.CanChoosePort && _choosesPort;
            var arguments = Arguments(protocol, external, port, caller.Local ?? gateway.Local, _isPermanent ? TimeSpan.Zero : lifetime);
            if (await caller.CallAsync(
                service, isAny ? "AddAnyPortMapping" : "AddPortMapping", arguments, cancellationToken) is not { } answer)
                return null;
            if (answer.Values is not null)
            {
                if (int.TryParse(answer.Find("NewReservedPort"), NumberStyles.None, CultureInfo.InvariantCulture, out var reserved)
                    && reserved is > 0 and <= ushort.MaxValue)
                    external = reserved;
                _external[protocol] = external;
                return MappingOutcome.Granted(
                    new PortLease(external, lifetime, MappingMethod.Upnp, await AddressAsync(caller, service, cancellationToken)));
            }

            if (isAny && answer.Fault is InvalidAction or NotImplemented)
                _choosesPort = false;
            else if (!_isPermanent && answer.Fault is OnlyPermanent or InvalidArguments)
                _isPermanent = true;
            else if (answer.Fault is Conflict or ConflictElsewhere && conflicts++ < MostConflicts)
                external = RandomNumberGenerator.GetInt32(49_152, ushort.MaxValue + 1);
            else
                return MappingOutcome.Refused($"UPnP: {answer.Reason}");
        }
    }

    private async Task DeleteAsync(GatewayCaller caller, MappingProtocol protocol, CancellationToken cancellationToken)
    {
        if (_service is { } service && _external.Remove(protocol, out var external))
            await caller.CallAsync(service, "DeletePortMapping", Arguments(protocol, external).Take(3), cancellationToken);
    }

    private static async Task<IPAddress?> AddressAsync(GatewayCaller caller, GatewayService service, CancellationToken cancellationToken) =>
        await caller.CallAsync(service, "GetExternalIPAddress", [], cancellationToken) is { } answer
            && IPAddress.TryParse(answer.Find("NewExternalIPAddress"), out var address) && !address.Equals(IPAddress.Any)
            ? address
            : null;

    private static IEnumerable<(string Name, string Value)> Arguments(
        MappingProtocol protocol, int external, int port = 0, IPAddress? local = null, TimeSpan lifetime = default) =>
    [
        ("NewRemoteHost", ""),
        ("NewExternalPort", external.ToString(CultureInfo.InvariantCulture)),
        ("NewProtocol", protocol == MappingProtocol.Tcp ? "TCP" : "UDP"),
        ("NewInternalPort", port.ToString(CultureInfo.InvariantCulture)),
        ("NewInternalClient", local?.ToString() ?? ""),
        ("NewEnabled", "1"),
        ("NewPortMappingDescription", "NzbDav"),
        ("NewLeaseDuration", ((long)lifetime.TotalSeconds).ToString(CultureInfo.InvariantCulture)),
    ];
}

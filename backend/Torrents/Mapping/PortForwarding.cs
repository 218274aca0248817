using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>
/// Keeps a port open in the routers of one family until it is stopped, and reports the state. For IPv4 the port is mapped, for IPv6 a
/// pinhole is made in the firewall. Thread-safe.
/// </summary>
/// <param name="family">The family.</param>
/// <param name="create">Creates sockets of the family; null = not allowed.</param>
/// <param name="time">Drives time-outs.</param>
/// <param name="notice">Receives messages for the user.</param>
/// <param name="moved">Called on any thread when the router's port at which peers reach us changed, or no longer exists.</param>
internal sealed class PortForwarding(
    AddressFamily family, Func<SocketType, Socket?> create, TimeProvider time, Action<string> notice, Action moved)
{
    private readonly bool _isSix = family == AddressFamily.InterNetworkV6;

    /// <summary>Kept from round to round, because only the mapper that made a pinhole can renew it.</summary>
    private readonly Dictionary<Gateway, IPortMapper> _six = [];
    private readonly Lock _gate = new();
    private PortMapping? _mapping;

    /// <summary>Removal of the previous mapping. It must end before the next mapping begins, which may be for the same port.</summary>
    private Task _ending = Task.CompletedTask;
    private PortMappingStatus _status = PortMappingStatus.None;
    private bool _closed;

    /// <summary>True from <see cref="Start"/> to <see cref="Stop"/>.</summary>
    public bool IsOn
    {
        get
        {
            lock (_gate)
                return _mapping is not null;
        }
    }

    /// <summary>The current state.</summary>
    public PortMappingStatus Status => Volatile.Read(ref _status);

    /// <summary>Starts, unless it has already started.</summary>
    /// <param name="port">Our port, for TCP and UDP.</param>
    /// <param name="device">The interface that leads to the routers; null = any.</param>
    public void Start(int port, string? device)
    {
        lock (_gate)
        {
            if (!_closed)
                _mapping ??= new PortMapping(port, () => _isSix ? RoutersOfSix(device) : Routers(device), Note, time, _ending, _isSix);
        }
    }

    /// <summary>Removes the mapping. <see cref="Start"/> may be called again.</summary>
    public void Stop() => _ = End(closed: false);

    /// <summary>Removes the mapping for good. Takes three seconds at most.</summary>
    public Task CloseAsync() => End(closed: true);

    private Task End(bool closed)
    {
        lock (_gate)
        {
            _closed |= closed;
            if (_mapping is { } ended)
                (_ending, _mapping) = (EndAsync(ended), null);
            return _ending;
        }
    }

    private async Task EndAsync(PortMapping ended)
    {
        await ended.DisposeAsync();
        Note(PortMappingStatus.None);
    }

    /// <summary>
    /// The routers' mappers. PCP and NAT-PMP come first: they take one datagram each way, and no search. Without an answer they take four
    /// seconds, or no time if the router reports a closed port.
    /// </summary>
    private List<IPortMapper> Routers(string? device) =>
        [.. Gateway.Find(device).Select(gateway => new MapperChain(
            new RouterMapper(new IPEndPoint(gateway.Router, RouterMapper.RouterPort), create, time),
            new UpnpMapper(gateway, GatewaySearch.Group, create, time)))];

    /// <summary>Called by one mapping at a time.</summary>
    private List<IPortMapper> RoutersOfSix(string? device)
    {
        var found = Gateway.FindSix(device);
        foreach (var removed in _six.Keys.Except(found).ToList())
            _six.Remove(removed);
        foreach (var gateway in found)
        {
            _six.TryAdd(gateway, new MapperChain(
                new RouterMapper(new IPEndPoint(gateway.Router, RouterMapper.RouterPort), create, time, gateway.Local),
                new PinholeMapper(gateway, GatewaySearch.GroupOfSix(gateway), create, time)));
        }

        return [.. found.Select(gateway => _six[gateway])];
    }

    /// <summary>Stores the state, and reports it if it changed.</summary>
    private void Note(PortMappingStatus status)
    {
        var before = Interlocked.Exchange(ref _status, status);
        if (before == status)
            return;
        if (status.Trouble is { } trouble)
        {
            // Many routers let all connections in by IPv6 and do not support pinholes.
            if (trouble != before.Trouble && !_isSix)
                notice(trouble);
        }
        else if (status.Method is { } method)
        {
            var address = status.ExternalAddress?.ToString() ?? "address unknown";
            notice(_isSix ? $"The router lets peers in by IPv6 ({method}): {address}." : string.Create(
                CultureInfo.InvariantCulture,
                $"The router opened its port for peers by {method}: {address}, TCP {status.TcpPort}, UDP {status.UdpPort}."));
        }

        if (before.TcpPort != status.TcpPort)
            moved();
    }
}

/// <summary>
/// Tries several protocols on one router: first the one that granted the last mapping, then the others in order. A mapping is removed by
/// the protocol that granted it.
/// </summary>
/// <param name="mappers">In order of preference.</param>
internal sealed class MapperChain(params IReadOnlyList<IPortMapper> mappers) : IPortMapper
{
    private readonly Dictionary<MappingProtocol, IPortMapper> _granted = [];

    public async Task<MappingOutcome> MapAsync(MappingProtocol protocol, int port, TimeSpan lifetime, CancellationToken cancellationToken)
    {
        var before = _granted.GetValueOrDefault(protocol);
        if (lifetime <= TimeSpan.Zero)
        {
            _granted.Remove(protocol);
            return before is null ? MappingOutcome.Silence : await before.MapAsync(protocol, port, lifetime, cancellationToken);
        }

        // A router may refuse by one protocol and grant by another.
        string? refusal = null;
        foreach (var mapper in mappers.OrderBy(mapper => mapper != before))
        {
            var outcome = await mapper.MapAsync(protocol, port, lifetime, cancellationToken);
            if (outcome.Lease is not null)
            {
                _granted[protocol] = mapper;
                return outcome;
            }

            refusal ??= outcome.Refusal;
        }

        _granted.Remove(protocol);
        return refusal is null ? MappingOutcome.Silence : MappingOutcome.Refused(refusal);
    }
}

using System.Globalization;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Mapping;

/// <summary>Has the routers opened for a port while that is wanted, and says how they stand. Thread-safe.</summary>
/// <param name="create">Makes sockets for IPv4; null = may not.</param>
/// <param name="time">Drives time-outs.</param>
/// <param name="notice">Told what a person should know.</param>
/// <param name="moved">Called when peers reach us at another port of the router, or at none any more: on any thread.</param>
internal sealed class PortForwarding(Func<SocketType, Socket?> create, TimeProvider time, Action<string> notice, Action moved)
{
    private readonly Lock _gate = new();
    private PortMapping? _mapping;

    /// <summary>Gives back what was mapped before: what is mapped next could be the same.</summary>
    private Task _ending = Task.CompletedTask;
    private PortMappingStatus _status = PortMappingStatus.None;
    private bool _closed;

    /// <summary>The port is asked for.</summary>
    public bool IsOn
    {
        get
        {
            lock (_gate)
                return _mapping is not null;
        }
    }

    /// <summary>How it stands.</summary>
    public PortMappingStatus Status => Volatile.Read(ref _status);

    /// <summary>Begins, unless it has begun.</summary>
    /// <param name="port">Ours, for TCP and UDP.</param>
    /// <param name="device">The interface behind which the routers are; null = any.</param>
    public void Start(int port, string? device)
    {
        lock (_gate)
        {
            if (!_closed)
                _mapping ??= new PortMapping(port, () => Routers(device), Note, time, _ending);
        }
    }

    /// <summary>Gives the port back. It may begin again.</summary>
    public void Stop() => _ = End(closed: false);

    /// <summary>Gives the port back, for a second at most, and does not begin again.</summary>
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

    /// <summary>PCP and NAT-PMP come first: one datagram each way, and no search. Their silence takes four seconds, or none where the router says that nobody listens.</summary>
    private List<IPortMapper> Routers(string? device) =>
        [.. Gateway.Find(device).Select(gateway => new MapperChain(
            new RouterMapper(new IPEndPoint(gateway.Router, RouterMapper.RouterPort), create, time), new UpnpMapper(gateway, GatewaySearch.Group, create, time)))];

    /// <summary>Says what has changed, once.</summary>
    private void Note(PortMappingStatus status)
    {
        var before = Interlocked.Exchange(ref _status, status);
        if (before == status)
            return;
        if (status.Trouble is { } trouble)
        {
            if (trouble != before.Trouble)
                notice(trouble);
        }
        else if (status.Method is { } method)
        {
            notice(string.Create(
                CultureInfo.InvariantCulture, $"The router opened its port for peers by {method}: {status.ExternalAddress?.ToString() ?? "address not told"}, TCP {status.TcpPort}, UDP {status.UdpPort}."));
        }

        if (before.TcpPort != status.TcpPort)
            moved();
    }
}

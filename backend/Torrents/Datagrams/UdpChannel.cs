using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Datagrams;

/// <summary>The engine's UDP sockets: one per family, on the same port as TCP if that is free.</summary>
internal sealed class UdpChannel : IDatagramChannel
{
    private readonly DatagramHandlers _handlers = new();
    private readonly UdpPort?[] _ports;

    /// <summary>Starts listening. A family for which no socket can be created cannot be reached.</summary>
    /// <param name="listen">Address and port. The unspecified address means both families, any other address its own family. Null = any
    /// port, both families.</param>
    /// <param name="time">Drives pauses after failures.</param>
    public UdpChannel(IPEndPoint? listen, TimeProvider time)
        : this(Endpoints(listen), time)
    {
    }

    /// <summary>Starts listening. A family for which no socket can be created cannot be reached.</summary>
    /// <param name="listen">Address and port for each family.</param>
    /// <param name="time">Drives pauses after failures.</param>
    /// <param name="create">Creates the sockets; returns null if that is not allowed. Null = sockets without restrictions.</param>
    public UdpChannel(IReadOnlyList<IPEndPoint> listen, TimeProvider time, Func<AddressFamily, Socket?>? create = null)
    {
        create ??= static family => new Socket(family, SocketType.Dgram, ProtocolType.Udp);
        _ports = [.. listen.Select(endpoint => UdpPort.TryOpen(endpoint.Address, endpoint.Port, _handlers, time, create))];
    }

    /// <summary>Always null: no trouble concerns all addresses. See <see cref="CanReach"/>.</summary>
    public string? Trouble => null;

    public bool CarriesNames => false;

    public int PortOf(AddressFamily family) => Find(family)?.Port ?? 0;

    public bool CanReach(AddressFamily family) => Find(family) is { CanReach: true };

    public Task WhenKnownAsync() => Task.CompletedTask;

    public void Send(string host, int port, ReadOnlySpan<byte> datagram)
    {
    }

    public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram) => Find(to.Family)?.Send(to, datagram);

    public IDisposable Register(DatagramHandler handler) => _handlers.Register(handler);

    /// <summary>Closes the sockets. Datagrams that arrive later are dropped.</summary>
    public void Dispose()
    {
        foreach (var port in _ports)
            port?.Dispose();
    }

    private static IPEndPoint[] Endpoints(IPEndPoint? listen)
    {
        var isAny = listen is null || listen.Address.Equals(IPAddress.Any) || listen.Address.Equals(IPAddress.IPv6Any);
        return isAny ? [new IPEndPoint(IPAddress.Any, listen?.Port ?? 0), new IPEndPoint(IPAddress.IPv6Any, listen?.Port ?? 0)] : [listen!];
    }

    private UdpPort? Find(AddressFamily family)
    {
        foreach (var port in _ports)
        {
            if (port?.Family == family)
                return port;
        }

        return null;
    }
}

using System.Net;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Tests.Utp;

/// <summary>
/// A port of this machine at which nobody listens by TCP, and whose datagrams go to and from another port: a peer that only uTP reaches, as
/// behind a router. It may delay them.
/// </summary>
internal sealed class UdpRelay : IDisposable
{
    private readonly UdpChannel _front = new(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
    private readonly UdpChannel _back = new(new IPEndPoint(IPAddress.Loopback, 0), TimeProvider.System);
    private DatagramAddress _client;
    private int _came;
    private int _answered;

    /// <param name="port">Where the peer listens.</param>
    public UdpRelay(int port)
    {
        var peer = new DatagramAddress(new IPEndPoint(IPAddress.Loopback, port));
        _front.Register((from, datagram) =>
        {
            Interlocked.Increment(ref _came);
            _client = from;
            _back.Send(peer, datagram);
            return true;
        });
        _back.Register((_, datagram) =>
        {
            Interlocked.Increment(ref _answered);
            _front.Send(_client, datagram);
            return true;
        });
    }

    /// <summary>Where the peer seems to be.</summary>
    public IPEndPoint Endpoint => new(IPAddress.Loopback, _front.PortOf(System.Net.Sockets.AddressFamily.InterNetwork));

    /// <summary>Datagrams for the peer.</summary>
    public int Came => Volatile.Read(ref _came);

    /// <summary>Datagrams from the peer.</summary>
    public int Answered => Volatile.Read(ref _answered);

    public void Dispose()
    {
        _front.Dispose();
        _back.Dispose();
    }
}

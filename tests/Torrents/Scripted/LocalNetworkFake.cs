using System.Net;
using System.Threading.Channels;
using NzbDav.Torrents.Discovery.Local;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>
/// A local network shared by an engine and a test. As on a real one, senders receive their own datagrams too. Thread-safe.
/// </summary>
internal sealed class LocalNetworkFake : ILocalChannel
{
    private readonly Channel<(IPEndPoint Sender, byte[] Datagram)> _toEngine = Channel.CreateUnbounded<(IPEndPoint, byte[])>();
    private readonly List<LocalAnnouncement> _announced = [];
    private int _asked;

    /// <summary>What the engine has announced.</summary>
    public IReadOnlyList<LocalAnnouncement> Announced
    {
        get
        {
            lock (_announced)
                return [.. _announced];
        }
    }

    /// <summary>The engine has left the network.</summary>
    public bool IsClosed { get; private set; }

    /// <summary>The engine has processed everything sent so far.</summary>
    public bool IsTaken => _toEngine.Reader.Count == 0 && Volatile.Read(ref _asked) > 0;

    /// <summary>Sends a datagram to the engine.</summary>
    public void Say(IPEndPoint sender, byte[] datagram) => _toEngine.Writer.TryWrite((sender, datagram));

    public void Send(LocalAnnouncement announcement)
    {
        var datagram = announcement.Write("239.192.152.143:6771");
        lock (_announced)
            _announced.Add(LocalAnnouncement.Read(datagram)!);
        Say(new IPEndPoint(IPAddress.Parse("192.168.1.2"), 6_771), datagram);
    }

    public async ValueTask<(IPEndPoint Sender, int Length)> ReceiveAsync(Memory<byte> buffer, CancellationToken cancellationToken)
    {
        if (_toEngine.Reader.Count == 0)
            Volatile.Write(ref _asked, 1);
        var (sender, datagram) = await _toEngine.Reader.ReadAsync(cancellationToken);
        datagram.CopyTo(buffer);
        return (sender, datagram.Length);
    }

    public void Dispose() => IsClosed = true;
}

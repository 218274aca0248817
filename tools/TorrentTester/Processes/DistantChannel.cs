using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.TorrentTester.Processes;

/// <summary>A channel at a distance: datagrams in both directions are delayed by <see cref="OneWay"/>. Thread-safe.</summary>
/// <param name="inner">The underlying channel; owned.</param>
internal sealed class DistantChannel(IDatagramChannel inner) : IDatagramChannel
{
    /// <summary>Delay in each direction.</summary>
    public TimeSpan OneWay { get; set; }

    /// <summary>True: all datagrams are lost.</summary>
    public bool IsSilent { get; set; }

    public int PortOf(AddressFamily family) => inner.PortOf(family);

    public bool CanReach(AddressFamily family) => inner.CanReach(family);

    public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
    {
        var bytes = datagram.ToArray();
        Later(() => inner.Send(to, bytes));
    }

    public IDisposable Register(DatagramHandler handler) => inner.Register((from, datagram) =>
    {
        var bytes = datagram.ToArray();
        Later(() => handler(from, bytes));
        return true;
    });

    public void Dispose() => inner.Dispose();

    private void Later(Action action)
    {
        if (IsSilent)
            return;
        if (OneWay == TimeSpan.Zero)
            action();
        else
            _ = Task.Delay(OneWay).ContinueWith(_ => action(), TaskScheduler.Default);
    }
}

using NzbDav.Torrents.Datagrams;

namespace NzbDav.TorrentTester.Processes;

/// <summary>A channel at a distance: datagrams in both directions are delayed by <see cref="OneWay"/>. Thread-safe.</summary>
/// <param name="inner">The underlying channel; owned.</param>
internal sealed class DistantChannel(IDatagramChannel inner) : DelegatingChannel(inner)
{
    /// <summary>Delay in each direction.</summary>
    public TimeSpan OneWay { get; set; }

    /// <summary>True: all datagrams are lost.</summary>
    public bool IsSilent { get; set; }

    public override void Send(string host, int port, ReadOnlySpan<byte> datagram)
    {
        var bytes = datagram.ToArray();
        Later(() => Inner.Send(host, port, bytes));
    }

    public override void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
    {
        var bytes = datagram.ToArray();
        Later(() => Inner.Send(to, bytes));
    }

    public override IDisposable Register(DatagramHandler handler) => Inner.Register((from, datagram) =>
    {
        var bytes = datagram.ToArray();
        Later(() => handler(from, bytes));
        return true;
    });

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

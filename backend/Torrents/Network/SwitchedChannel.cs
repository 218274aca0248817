using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Network;

/// <summary>A channel whose sockets can be replaced while its handlers remain. Thread-safe.</summary>
internal sealed class SwitchedChannel : IDatagramChannel
{
    private readonly DatagramHandlers _handlers = new();
    private readonly Lock _gate = new();
    private IDatagramChannel? _inner;
    private string? _trouble;
    private bool _closed;

    /// <summary>Switches to another channel and closes the previous one.</summary>
    /// <param name="next">The new channel, owned from now on; null = nothing is sent.</param>
    /// <param name="trouble">Why nothing is sent, for the user; null if datagrams are sent.</param>
    public void Use(IDatagramChannel? next, string? trouble)
    {
        Volatile.Write(ref _trouble, trouble);
        next?.Register(_handlers.Offer);
        IDatagramChannel? before;
        lock (_gate)
        {
            before = _closed ? next : _inner;
            if (!_closed)
                Volatile.Write(ref _inner, next);
        }

        before?.Dispose();
    }

    public int PortOf(AddressFamily family) => Volatile.Read(ref _inner)?.PortOf(family) ?? 0;

    public bool CanReach(AddressFamily family) => Volatile.Read(ref _inner)?.CanReach(family) ?? false;

    public string? Trouble => Volatile.Read(ref _trouble) ?? Volatile.Read(ref _inner)?.Trouble;

    public bool CarriesNames => Volatile.Read(ref _inner)?.CarriesNames ?? false;

    public Task WhenKnownAsync() => Volatile.Read(ref _inner)?.WhenKnownAsync() ?? Task.CompletedTask;

    public void Send(string host, int port, ReadOnlySpan<byte> datagram) => Volatile.Read(ref _inner)?.Send(host, port, datagram);

    public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram) => Volatile.Read(ref _inner)?.Send(to, datagram);

    public IDisposable Register(DatagramHandler handler) => _handlers.Register(handler);

    public void Dispose()
    {
        IDatagramChannel? before;
        lock (_gate)
        {
            _closed = true;
            (before, _inner) = (_inner, null);
        }

        before?.Dispose();
    }
}

using System.Net.Sockets;

namespace NzbDav.Torrents.Datagrams;

/// <summary>A channel that sends through another one. Members that a derived class does not override are forwarded.</summary>
/// <param name="inner">The other channel; owned.</param>
internal abstract class DelegatingChannel(IDatagramChannel inner) : IDatagramChannel
{
    /// <summary>The other channel.</summary>
    protected IDatagramChannel Inner { get; } = inner;

    public virtual string? Trouble => Inner.Trouble;

    public virtual bool CarriesNames => Inner.CarriesNames;

    public virtual int PortOf(AddressFamily family) => Inner.PortOf(family);

    public virtual bool CanReach(AddressFamily family) => Inner.CanReach(family);

    public virtual Task WhenKnownAsync() => Inner.WhenKnownAsync();

    public virtual void Send(string host, int port, ReadOnlySpan<byte> datagram) => Inner.Send(host, port, datagram);

    public virtual void Send(DatagramAddress to, ReadOnlySpan<byte> datagram) => Inner.Send(to, datagram);

    public virtual IDisposable Register(DatagramHandler handler) => Inner.Register(handler);

    public virtual void Dispose() => Inner.Dispose();
}

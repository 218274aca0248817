using System.Net.Sockets;

namespace NzbDav.Torrents.Datagrams;

/// <summary>A channel that sends through another. What a derived class does not override is passed on.</summary>
/// <param name="inner">The other channel; owned.</param>
internal abstract class DelegatingChannel(IDatagramChannel inner) : IDatagramChannel
{
    /// <summary>The other channel.</summary>
    protected IDatagramChannel Inner { get; } = inner;

    /// <inheritdoc/>
    public virtual string? Trouble => Inner.Trouble;

    /// <inheritdoc/>
    public virtual bool CarriesNames => Inner.CarriesNames;

    /// <inheritdoc/>
    public virtual int PortOf(AddressFamily family) => Inner.PortOf(family);

    /// <inheritdoc/>
    public virtual bool CanReach(AddressFamily family) => Inner.CanReach(family);

    /// <inheritdoc/>
    public virtual Task WhenKnownAsync() => Inner.WhenKnownAsync();

    /// <inheritdoc/>
    public virtual void Send(string host, int port, ReadOnlySpan<byte> datagram) => Inner.Send(host, port, datagram);

    /// <inheritdoc/>
    public virtual void Send(DatagramAddress to, ReadOnlySpan<byte> datagram) => Inner.Send(to, datagram);

    /// <inheritdoc/>
    public virtual IDisposable Register(DatagramHandler handler) => Inner.Register(handler);

    /// <inheritdoc/>
    public virtual void Dispose() => Inner.Dispose();
}

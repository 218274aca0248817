using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Blocking;

/// <summary>A channel that drops datagrams to and from addresses on the blocklist.</summary>
/// <param name="inner">Owned.</param>
/// <param name="blocklist">Not owned.</param>
internal sealed class BlockedChannel(IDatagramChannel inner, Blocklist blocklist) : IDatagramChannel
{
    /// <inheritdoc/>
    public int PortOf(AddressFamily family) => inner.PortOf(family);

    /// <inheritdoc/>
    public bool CanReach(AddressFamily family) => inner.CanReach(family);

    /// <inheritdoc/>
    public string? Trouble => inner.Trouble;

    /// <inheritdoc/>
    public bool CarriesNames => inner.CarriesNames;

    /// <inheritdoc/>
    public Task WhenKnownAsync() => inner.WhenKnownAsync();

    /// <summary>The address behind the name is known only from the answer; an answer from a blocked address is dropped.</summary>
    public void Send(string host, int port, ReadOnlySpan<byte> datagram) => inner.Send(host, port, datagram);

    /// <inheritdoc/>
    public void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
    {
        if (!blocklist.Contains(to))
            inner.Send(to, datagram);
    }

    /// <inheritdoc/>
    public IDisposable Register(DatagramHandler handler) =>
        inner.Register((from, datagram) => !blocklist.Contains(from) && handler(from, datagram));

    /// <inheritdoc/>
    public void Dispose() => inner.Dispose();
}

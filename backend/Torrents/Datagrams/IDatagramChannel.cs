using System.Net.Sockets;

namespace NzbDav.Torrents.Datagrams;

/// <summary>UDP for the whole engine: one port for trackers, the DHT and uTP. Thread-safe.</summary>
internal interface IDatagramChannel : IDisposable
{
    /// <summary>Our UDP port for datagrams of this family; 0 = none.</summary>
    int PortOf(AddressFamily family);

    /// <summary>True while datagrams can be sent to addresses of this family, as far as is known.</summary>
    bool CanReach(AddressFamily family);

    /// <summary>Why no datagram can be sent, for the user; null if sending works, as far as is known.</summary>
    string? Trouble { get; }

    /// <summary>True while datagrams can also be sent to host names, which the proxy resolves.</summary>
    bool CarriesNames { get; }

    /// <summary>Completes when it is known whether datagrams can be sent. Only with a proxy this takes time.</summary>
    Task WhenKnownAsync();

    /// <summary>
    /// Like <see cref="Send(DatagramAddress, ReadOnlySpan{byte})"/>, but to a host name. Dropped unless <see cref="CarriesNames"/>. The
    /// answer comes from the address of that name.
    /// </summary>
    /// <param name="host">At most 255 bytes of ASCII.</param>
    /// <param name="port">1 … 65535.</param>
    /// <param name="datagram">Payload; copied before this returns.</param>
    void Send(string host, int port, ReadOnlySpan<byte> datagram);

    /// <summary>Sends a datagram, or drops it silently. Never throws and never waits.</summary>
    /// <param name="to">The destination.</param>
    /// <param name="datagram">Payload; copied before this returns.</param>
    void Send(DatagramAddress to, ReadOnlySpan<byte> datagram);

    /// <summary>
    /// Adds a handler. Each datagram is offered to the handlers in the order in which they were added, until one accepts it. A datagram
    /// that none accepts is dropped.
    /// </summary>
    /// <returns>Removes the handler when disposed; a call in progress still completes.</returns>
    IDisposable Register(DatagramHandler handler);
}

/// <summary>
/// Handles a datagram. Called outside all locks of the channel, one datagram of a family at a time. Must neither block nor throw.
/// </summary>
/// <param name="from">The sender stated in the packet, which can be forged.</param>
/// <param name="datagram">Valid only during the call.</param>
/// <returns>True if the datagram was for this handler.</returns>
internal delegate bool DatagramHandler(DatagramAddress from, ReadOnlySpan<byte> datagram);

using System.Net.Sockets;

namespace NzbDav.Torrents.Datagrams;

/// <summary>UDP of the whole engine: one port for trackers and the DHT. Thread-safe.</summary>
internal interface IDatagramChannel : IDisposable
{
    /// <summary>UDP port that datagrams of this family leave from and arrive at; 0 = none.</summary>
    int PortOf(AddressFamily family);

    /// <summary>True while datagrams can be sent to addresses of this family, as far as is known.</summary>
    bool CanReach(AddressFamily family);

    /// <summary>Why no datagram can be sent, for people; null = one can, as far as is known.</summary>
    string? Trouble => null;

    /// <summary>True while names can be sent to as well: whoever relays the datagrams looks them up.</summary>
    bool CarriesNames => false;

    /// <summary>Completes when it is known whether datagrams can be sent: only a proxy has to be asked.</summary>
    Task WhenKnownAsync() => Task.CompletedTask;

    /// <summary>As <see cref="Send(DatagramAddress, ReadOnlySpan{byte})"/>, to a name. Dropped unless <see cref="CarriesNames"/>. The answer comes from the address that the name leads to.</summary>
    /// <param name="host">At most 255 bytes of ASCII.</param>
    /// <param name="port">1 … 65535.</param>
    /// <param name="datagram">Payload; copied before this returns.</param>
    void Send(string host, int port, ReadOnlySpan<byte> datagram)
    {
    }

    /// <summary>Sends, or drops: nobody is told. Never throws and never waits.</summary>
    /// <param name="to">Where to.</param>
    /// <param name="datagram">Payload; copied before this returns.</param>
    void Send(DatagramAddress to, ReadOnlySpan<byte> datagram);

    /// <summary>Adds a handler. Each datagram is offered to the handlers in the order in which they were added, until one takes it; what none takes is dropped.</summary>
    /// <returns>Disposing it removes the handler; a call that is under way still ends.</returns>
    IDisposable Register(DatagramHandler handler);
}

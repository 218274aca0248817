using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery;

/// <summary>Where a UDP tracker is: at an address, or at a name that only the proxy looks up.</summary>
/// <param name="Address">Of the tracker; the default value = only its name is known.</param>
/// <param name="Host">Its name; null = it is reached by its address.</param>
/// <param name="Port">1 … 65535.</param>
internal readonly record struct UdpTarget(DatagramAddress Address, string? Host, int Port)
{
    /// <summary>At an address.</summary>
    public static UdpTarget Of(DatagramAddress address) => new(address, Host: null, address.Port);

    /// <summary>At a name.</summary>
    public static UdpTarget Of(string host, int port) => new(default, host, port);

    /// <summary>A datagram from there may be its answer.</summary>
    public bool Matches(DatagramAddress from) => Host is not null || Address == from;

    /// <summary>Sends there, or drops.</summary>
    public void Send(IDatagramChannel channel, ReadOnlySpan<byte> datagram)
    {
        if (Host is null)
            channel.Send(Address, datagram);
        else
            channel.Send(Host, Port, datagram);
    }
}

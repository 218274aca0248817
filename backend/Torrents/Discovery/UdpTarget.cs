using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery;

/// <summary>Location of a UDP tracker: an address, or a name that only the proxy resolves.</summary>
/// <param name="Address">Address of the tracker; the default value = only its name is known.</param>
/// <param name="Host">Its name; null = it is reached by its address.</param>
/// <param name="Port">1 … 65535.</param>
internal readonly record struct UdpTarget(DatagramAddress Address, string? Host, int Port)
{
    /// <summary>A target at an address.</summary>
    public static UdpTarget Of(DatagramAddress address) => new(address, Host: null, address.Port);

    /// <summary>A target at a name.</summary>
    public static UdpTarget Of(string host, int port) => new(default, host, port);

    /// <summary>True if a datagram from this address may be its answer.</summary>
    public bool Matches(DatagramAddress from) => Host is not null || Address == from;

    /// <summary>Sends a datagram to it, or drops it.</summary>
    public void Send(IDatagramChannel channel, ReadOnlySpan<byte> datagram)
    {
        if (Host is null)
            channel.Send(Address, datagram);
        else
            channel.Send(Host, Port, datagram);
    }
}

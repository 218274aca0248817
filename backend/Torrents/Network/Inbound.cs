using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Datagrams;
using NzbDav.Torrents.Status;

namespace NzbDav.Torrents.Network;

/// <summary>
/// Counts incoming connections from the internet, which prove that our port can be reached. Connections from this machine and from private
/// networks prove nothing. Thread-safe.
/// </summary>
/// <param name="time">Clock.</param>
internal sealed class Inbound(TimeProvider time)
{
    private readonly Lock _gate = new();
    private InboundStatus _four;
    private InboundStatus _six;

    /// <summary>Connections by IPv4.</summary>
    public InboundStatus Four
    {
        get
        {
            lock (_gate)
                return _four;
        }
    }

    /// <summary>Connections by IPv6.</summary>
    public InboundStatus Six
    {
        get
        {
            lock (_gate)
                return _six;
        }
    }

    /// <summary>Counts an incoming connection.</summary>
    public void Note(IPEndPoint from)
    {
        if (new DatagramAddress(from).IsLocal)
            return;
        lock (_gate)
        {
            var now = time.GetUtcNow();
            if (from.AddressFamily == AddressFamily.InterNetwork || from.Address.IsIPv4MappedToIPv6)
                _four = new InboundStatus(_four.Count + 1, now);
            else
                _six = new InboundStatus(_six.Count + 1, now);
        }
    }

    /// <summary>Clears the counts after the port or the route has changed, because they prove nothing about the new one.</summary>
    public void Reset()
    {
        lock (_gate)
            (_four, _six) = (default, default);
    }
}

using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Blocking;

/// <summary>
/// Drops datagrams to and from addresses on the blocklist. The address behind a host name is known only from the answer; an answer from a
/// blocked address is dropped.
/// </summary>
/// <param name="inner">Owned.</param>
/// <param name="blocklist">Not owned.</param>
internal sealed class BlockedChannel(IDatagramChannel inner, Blocklist blocklist) : DelegatingChannel(inner)
{
    public override void Send(DatagramAddress to, ReadOnlySpan<byte> datagram)
    {
        if (!blocklist.Contains(to))
            Inner.Send(to, datagram);
    }

    public override IDisposable Register(DatagramHandler handler) =>
        Inner.Register((from, datagram) => !blocklist.Contains(from) && handler(from, datagram));
}

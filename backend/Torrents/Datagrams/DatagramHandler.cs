namespace NzbDav.Torrents.Datagrams;

/// <summary>Looks at a datagram. Called outside all locks of the channel, one datagram of a family after the other; must neither block nor throw.</summary>
/// <param name="from">The sender, as the packet says: anybody can write any address there.</param>
/// <param name="datagram">Valid during the call only.</param>
/// <returns>True if it was this handler's.</returns>
internal delegate bool DatagramHandler(DatagramAddress from, ReadOnlySpan<byte> datagram);

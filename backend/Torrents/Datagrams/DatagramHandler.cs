namespace NzbDav.Torrents.Datagrams;

/// <summary>Handles a datagram. Called outside all locks of the channel, one datagram of a family at a time; must neither block nor throw.</summary>
/// <param name="from">The sender according to the packet, which can be forged.</param>
/// <param name="datagram">Valid during the call only.</param>
/// <returns>True if the datagram was for this handler.</returns>
internal delegate bool DatagramHandler(DatagramAddress from, ReadOnlySpan<byte> datagram);

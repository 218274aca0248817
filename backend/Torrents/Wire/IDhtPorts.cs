using System.Net;
using System.Net.Sockets;

namespace NzbDav.Torrents.Wire;

/// <summary>The ports of DHT nodes that peers send each other (BEP 5). Thread-safe; may be called under a torrent's lock.</summary>
internal interface IDhtPorts
{
    /// <summary>UDP port of our node for peers of this family; 0 = we have none.</summary>
    int PortOf(AddressFamily family);

    /// <summary>Takes the address of a peer's node.</summary>
    void Meet(IPEndPoint node);
}

namespace NzbDav.Api.Native.Torrents;

/// <summary>How a peer's address was learned.</summary>
internal enum PeerSourceName
{
    /// <summary>From a tracker.</summary>
    Tracker,

    /// <summary>From the distributed hash table (BEP 5).</summary>
    Dht,

    /// <summary>From another peer (BEP 11).</summary>
    Exchange,

    /// <summary>From the local network (BEP 14).</summary>
    Local,

    /// <summary>The peer opened the connection.</summary>
    Incoming,

    /// <summary>From the magnet link, the .torrent or a person.</summary>
    Link,

    /// <summary>The peer was reached when the torrent was open before.</summary>
    Saved,
}

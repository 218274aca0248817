namespace NzbDav.Api.Native.Torrents;

/// <summary>A way by which addresses of peers are learned.</summary>
internal enum PeerSourceName
{
    /// <summary>A tracker named it.</summary>
    Tracker,

    /// <summary>The distributed hash table (BEP 5).</summary>
    Dht,

    /// <summary>Another peer named it (BEP 11).</summary>
    Exchange,

    /// <summary>The local network (BEP 14).</summary>
    Local,

    /// <summary>It came to us.</summary>
    Incoming,

    /// <summary>The magnet link, the .torrent or a person named it.</summary>
    Link,

    /// <summary>It was reached when the torrent was open before.</summary>
    Saved,
}

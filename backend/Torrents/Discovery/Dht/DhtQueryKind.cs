namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>The queries of BEP 5.</summary>
internal enum DhtQueryKind
{
    Ping,
    FindNode,
    GetPeers,
    AnnouncePeer,
}

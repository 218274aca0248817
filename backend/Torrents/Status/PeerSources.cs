namespace NzbDav.Torrents.Status;

/// <summary>How a peer's address was learned. One address may come from several sources.</summary>
[Flags]
public enum PeerSources
{
    /// <summary>Not known.</summary>
    None = 0,

    /// <summary>A tracker named it.</summary>
    Tracker = 1,

    /// <summary>A node of the distributed hash table named it (BEP 5).</summary>
    Dht = 2,

    /// <summary>Another peer named it (BEP 11).</summary>
    Exchange = 4,

    /// <summary>It announced itself in the local network (BEP 14).</summary>
    Local = 8,

    /// <summary>It connected to us.</summary>
    Incoming = 16,

    /// <summary>The magnet link, the .torrent or the user named it.</summary>
    Link = 32,

    /// <summary>It was reached while the torrent was open earlier.</summary>
    Saved = 64,
}

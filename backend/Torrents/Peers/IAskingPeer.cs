using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Peers;

/// <summary>A requesting peer, as its request queue sees it. Under the torrent's lock.</summary>
internal interface IAskingPeer
{
    /// <summary>Messages to it. Thread-safe.</summary>
    Outbox Outbox { get; }

    /// <summary>Its extension handshake (BEP 10).</summary>
    ExtensionHandshake Told { get; }

    /// <summary>Its connection has ended.</summary>
    bool IsClosed { get; }

    /// <summary>It supports BEP 6.</summary>
    bool Fast { get; }

    /// <summary>We choke it.</summary>
    bool IsChoked { get; }

    /// <summary>Notes that its outbox has something to send.</summary>
    void MarkDirty();

    /// <summary>True if a block may be sent to it although it is choked (BEP 6).</summary>
    bool TryGrant(int piece, int length);

    /// <summary>Counts bytes of requested blocks that are about to be sent to it.</summary>
    void Took(int bytes);
}

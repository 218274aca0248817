namespace NzbDav.Torrents.Status;

/// <summary>What of a connection is encrypted (message-stream encryption).</summary>
public enum PeerEncryption
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>The handshake; the rest is plain.</summary>
    Handshake,

    /// <summary>Everything.</summary>
    Full,
}

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Which connections are encrypted.</summary>
public enum EncryptionPolicy
{
    /// <summary>Outgoing connections are tried with an encrypted handshake first, then without. After an encrypted handshake the rest is plain if the peer
    /// allows that.</summary>
    Prefer,

    /// <summary>Everything is encrypted in both directions; a peer that does not agree is refused.</summary>
    Require,

    /// <summary>Nothing is encrypted; a peer that begins with an encrypted handshake is refused.</summary>
    Off,
}

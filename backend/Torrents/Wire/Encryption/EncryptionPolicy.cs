namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Which connections are encrypted.</summary>
public enum EncryptionPolicy
{
    /// <summary>Outgoing connections are tried with an encrypted handshake first, then without. Once both sides are hidden behind the handshake, the rest is plain if the peer allows that.</summary>
    Prefer,

    /// <summary>Both ways, everything is encrypted; a peer that does not want that is refused.</summary>
    Require,

    /// <summary>Nothing is encrypted; a peer that wants it is refused.</summary>
    Off,
}

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>crypto_provide and crypto_select: encryption of the bytes after the handshake.</summary>
[Flags]
internal enum CryptoMethods : uint
{
    None = 0,
    Plain = 1,
    Rc4 = 2,
}

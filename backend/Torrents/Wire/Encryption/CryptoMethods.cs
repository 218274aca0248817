namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>crypto_provide and crypto_select: how what follows the handshake may be sent.</summary>
[Flags]
internal enum CryptoMethods : uint
{
    None = 0,
    Plain = 1,
    Rc4 = 2,
}

using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>
/// Keys derived from the shared secret and a torrent's hash. Names as in the specification: S is the secret, SKEY the info-hash.
/// </summary>
internal static class StreamKeys
{
    /// <summary>Bytes of a hash.</summary>
    public const int HashSize = 20;

    /// <summary>HASH('req1', S): marks the end of the first padding.</summary>
    public static void WriteReq1(ReadOnlySpan<byte> secret, Span<byte> hash) => Digest("req1"u8, secret, [], hash);

    /// <summary>HASH('req2', SKEY): identifies the torrent that a peer requests.</summary>
    public static InfoHash Disguise(InfoHash torrent)
    {
        Span<byte> hash = stackalloc byte[HashSize];
        Span<byte> key = stackalloc byte[HashSize];
        torrent.CopyTo(key);
        Digest("req2"u8, key, [], hash);
        return new InfoHash(hash);
    }

    /// <summary>HASH('req2', SKEY) xor HASH('req3', S): hides the former. A second call reveals it.</summary>
    public static void XorReq3(ReadOnlySpan<byte> secret, Span<byte> disguise)
    {
        Span<byte> veil = stackalloc byte[HashSize];
        Digest("req3"u8, secret, [], veil);
        for (var i = 0; i < HashSize; i++)
            disguise[i] ^= veil[i];
    }

    /// <summary>
    /// The cipher for one direction: HASH('keyA', S, SKEY) for bytes from the side that dialled, HASH('keyB', S, SKEY) for the others.
    /// </summary>
    public static Rc4 Cipher(bool ofDialler, ReadOnlySpan<byte> secret, InfoHash torrent)
    {
        Span<byte> key = stackalloc byte[HashSize];
        Span<byte> hash = stackalloc byte[HashSize];
        torrent.CopyTo(key);
        Digest(ofDialler ? "keyA"u8 : "keyB"u8, secret, key, hash);
        return new Rc4(hash);
    }

    private static void Digest(ReadOnlySpan<byte> label, ReadOnlySpan<byte> first, ReadOnlySpan<byte> second, Span<byte> hash)
    {
        Span<byte> bytes = stackalloc byte[4 + KeyExchange.Size + HashSize];
        label.CopyTo(bytes);
        first.CopyTo(bytes[4..]);
        second.CopyTo(bytes[(4 + first.Length)..]);
#pragma warning disable CA5350 // The protocol uses this hash.
        SHA1.HashData(bytes[..(4 + first.Length + second.Length)], hash);
#pragma warning restore CA5350
    }
}

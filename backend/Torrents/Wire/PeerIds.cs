using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire;

/// <summary>Creates the engine's peer ids.</summary>
internal static class PeerIds
{
    /// <summary>Azureus style (BEP 20): two letters, a version, twelve random characters.</summary>
    public static InfoHash Create()
    {
        Span<byte> id = stackalloc byte[20];
        RandomNumberGenerator.Fill(id);
        for (var i = 8; i < id.Length; i++)
            id[i] = (byte)('a' + (id[i] % 26));
        "-ND0100-"u8.CopyTo(id);
        return new InfoHash(id);
    }
}

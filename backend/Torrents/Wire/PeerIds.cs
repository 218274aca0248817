using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire;

/// <summary>Creates the engine's peer ids.</summary>
internal static class PeerIds
{
    /// <summary>
    /// The program's version, sent in the peer id and in the User-Agent. Trackers that admit only listed clients identify builds by it.
    /// </summary>
    public static Version Version { get; } = typeof(PeerIds).Assembly.GetName().Version!;

    /// <summary>Creates an id in Azureus style (BEP 20): two letters, four digits of a version, twelve random characters.</summary>
    public static InfoHash Create() => Create(Version);

    /// <inheritdoc cref="Create()"/>
    /// <param name="version">Parts above 35 are sent as 35.</param>
    internal static InfoHash Create(Version version)
    {
        Span<byte> id = stackalloc byte[20];
        RandomNumberGenerator.Fill(id);
        for (var i = 8; i < id.Length; i++)
            id[i] = (byte)('a' + (id[i] % 26));
        "-ND0000-"u8.CopyTo(id);
        (id[3], id[4], id[5]) = (Digit(version.Major), Digit(version.Minor), Digit(version.Build));
        return new InfoHash(id);
    }

    /// <summary>Writes parts above nine as letters, as other clients do.</summary>
    private static byte Digit(int part) => (byte)"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[Math.Clamp(part, 0, 35)];
}

using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire;

/// <summary>Creates the engine's peer ids.</summary>
internal static class PeerIds
{
    /// <summary>
    /// The program's, which trackers that allow listed clients only tell builds apart by: in the peer id and in the User-Agent.
    /// </summary>
    public static Version Version { get; } = typeof(PeerIds).Assembly.GetName().Version!;

    /// <summary>Azureus style (BEP 20): two letters, four digits of a version, twelve random characters.</summary>
    public static InfoHash Create() => Create(Version);

    /// <inheritdoc cref="Create()"/>
    /// <param name="version">A number of its parts above 35 is sent as 35.</param>
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

    /// <summary>As other programs write parts above nine: with letters.</summary>
    private static byte Digit(int part) => (byte)"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[Math.Clamp(part, 0, 35)];
}

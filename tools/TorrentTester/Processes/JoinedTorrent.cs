using System.Globalization;
using NzbDav.MockSwarm.Contents;

namespace NzbDav.TorrentTester.Processes;

/// <summary>Torrents of random bytes that an engine joins and nobody reads.</summary>
internal static class JoinedTorrent
{
    private const int PieceLength = 16 << 10;

    /// <summary>Makes the torrent with a number: the same in every process.</summary>
    /// <param name="number">From 0.</param>
    /// <param name="pieces">Number of its pieces.</param>
    public static MockTorrent Make(int number, int pieces)
    {
        var name = string.Create(CultureInfo.InvariantCulture, $"joined {number}");
        return new MockTorrent(name, SwarmContent.Make((ulong)number + 1, PieceLength, [new SwarmFile(name, (long)pieces * PieceLength)]));
    }
}

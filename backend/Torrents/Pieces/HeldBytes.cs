using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Pieces;

/// <summary>Counts the bytes of a file that lie in verified pieces.</summary>
internal static class HeldBytes
{
    /// <summary>Bytes of a file that lie in held pieces.</summary>
    /// <param name="file">The file.</param>
    /// <param name="pieceLength">The torrent's piece length, in bytes.</param>
    /// <param name="held">The torrent's held pieces.</param>
    public static long Of(TorrentFile file, int pieceLength, BitField held)
    {
        var bytes = 0L;
        var end = file.Offset + file.Length;
        for (var piece = (int)(file.Offset / pieceLength); piece < held.Length && (long)piece * pieceLength < end; piece++)
        {
            var start = (long)piece * pieceLength;
            if (held[piece])
                bytes += Math.Min(end, start + pieceLength) - Math.Max(file.Offset, start);
        }

        return bytes;
    }
}

using NzbDav.Content;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Pieces;

/// <summary>Counts the bytes of files in verified pieces.</summary>
internal static class HeldBytes
{
    /// <summary>Number of bytes of a file that are in held pieces.</summary>
    /// <param name="file">The file.</param>
    /// <param name="pieceLength">The torrent's piece length, in bytes.</param>
    /// <param name="held">The torrent's held pieces.</param>
    public static long Of(TorrentFile file, int pieceLength, BitField held)
    {
        var bytes = 0L;
        for (var piece = (int)(file.Offset / pieceLength); piece < held.Length && (long)piece * pieceLength < file.Bytes.End; piece++)
        {
            if (held[piece])
                bytes += ByteSpan.OfLength((long)piece * pieceLength, pieceLength).Intersect(file.Bytes).Length;
        }

        return bytes;
    }
}

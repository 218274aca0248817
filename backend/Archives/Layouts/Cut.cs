using System.Collections.Immutable;

namespace NzbDav.Archives.Layouts;

/// <summary>Cuts ranges out of entries.</summary>
internal static class Cut
{
    private const int BlockSize = 16;

    /// <summary>
    /// Cuts a range out of an encrypted stream, with no more ciphertext than necessary. Decrypting a block needs the block before it, so if
    /// the range does not begin in the first block, the pieces include the block before; its plaintext is skipped, and the IV does not
    /// matter.
    /// </summary>
    /// <param name="cipher">Cipher of the whole stream.</param>
    /// <param name="start">Offset in the plain stream.</param>
    /// <param name="length">Number of bytes, at least 1.</param>
    /// <param name="pieces">Maps a range of the ciphertext to pieces.</param>
    public static ArchiveSpan Encrypted(
        ArchiveCipher cipher, long start, long length, Func<long, long, ImmutableArray<ArchivePiece>> pieces)
    {
        var from = Math.Max(0, (start / BlockSize * BlockSize) - BlockSize);
        var end = (start + length + BlockSize - 1) / BlockSize * BlockSize;
        return new ArchiveSpan(pieces(from, end - from), cipher, start - from, length);
    }

    /// <summary>Cuts a range out of an entry.</summary>
    /// <param name="entry">An entry that is not refused.</param>
    /// <param name="start">Offset in the entry.</param>
    /// <param name="length">Number of bytes, inside the entry.</param>
    public static IEnumerable<ArchiveSpan> Out(ArchiveEntry entry, long start, long length)
    {
        foreach (var span in entry.Spans)
        {
            if (length == 0)
                yield break;
            if (start >= span.Length)
            {
                start -= span.Length;
                continue;
            }

            var count = Math.Min(length, span.Length - start);
            yield return span.Cipher is { } cipher
                ? Encrypted(cipher, span.Start + start, count, (from, size) => Out(span.Pieces, from, size))
                : new ArchiveSpan(Out(span.Pieces, start, count), Cipher: null, 0, count);
            length -= count;
            start = 0;
        }
    }

    /// <summary>Cuts a range out of consecutive pieces.</summary>
    public static ImmutableArray<ArchivePiece> Out(ImmutableArray<ArchivePiece> pieces, long start, long length)
    {
        var cut = ImmutableArray.CreateBuilder<ArchivePiece>();
        foreach (var piece in pieces)
        {
            if (length == 0)
                break;
            if (start >= piece.Length)
            {
                start -= piece.Length;
                continue;
            }

            var count = Math.Min(length, piece.Length - start);
            cut.Add(new ArchivePiece(piece.Volume, piece.Offset + start, count));
            length -= count;
            start = 0;
        }

        return cut.ToImmutable();
    }
}

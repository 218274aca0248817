using System.Collections.Immutable;

namespace NzbDav.Archives.Layouts;

/// <summary>Cuts runs of bytes out of entries.</summary>
internal static class Cut
{
    private const int BlockSize = 16;

    /// <summary>
    /// A run out of an encrypted stream with no more ciphertext than it needs. A block is decrypted with the one before it; so where the run does not begin in the first
    /// block, the one before belongs to the pieces, and what it decrypts to is passed over: the IV does not matter then.
    /// </summary>
    /// <param name="cipher">Of the whole stream.</param>
    /// <param name="start">Offset in the plain stream.</param>
    /// <param name="length">Bytes, at least 1.</param>
    /// <param name="pieces">Where a range of the ciphertext lies.</param>
    public static ArchiveSpan Encrypted(ArchiveCipher cipher, long start, long length, Func<long, long, ImmutableArray<ArchivePiece>> pieces)
    {
        var from = Math.Max(0, (start / BlockSize * BlockSize) - BlockSize);
        var end = (start + length + BlockSize - 1) / BlockSize * BlockSize;
        return new ArchiveSpan(pieces(from, end - from), cipher, start - from, length);
    }

    /// <summary>A run out of an entry.</summary>
    /// <param name="entry">Not refused.</param>
    /// <param name="start">Offset in the entry.</param>
    /// <param name="length">Bytes, inside the entry.</param>
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

    /// <summary>A run out of pieces that lie one behind the other.</summary>
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

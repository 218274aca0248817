using NzbDav.Catalog.Tree;
using NzbDav.Content;

namespace NzbDav.Library.Filling;

/// <summary>A range of a file, as clients see it, that is lost because bytes of its post are lost.</summary>
/// <param name="Start">The first.</param>
/// <param name="End">One past the last.</param>
internal readonly record struct FilledRange(long Start, long End)
{
    private const int Block = 16;

    /// <summary>
    /// Of an encrypted file each block of which a byte is lost, and the one after it: a block of AES-CBC needs the ciphertext of the block before (NIST SP 800-38A, 6.2).
    /// </summary>
    /// <param name="lost">What is gone of the post.</param>
    /// <param name="encryption">How the file comes out of it; null: it is the post's bytes.</param>
    /// <returns>Null when no byte of the file is lost by it.</returns>
    public static FilledRange? Of(LostRange lost, FileEncryption? encryption)
    {
        if (encryption is null)
            return new FilledRange(lost.Start, lost.End);
        var (start, end) = (long.MaxValue, long.MinValue);
        long stored = 0, plain = 0;
        foreach (var span in encryption.Spans)
        {
            var (from, to) = (Math.Max(0, lost.Start - stored), Math.Min(span.Stored, lost.End - stored));
            if (from < to && span.IsEncrypted)
                (from, to) = ((from / Block * Block) - span.Skip, ((to + Block - 1) / Block * Block) + Block - span.Skip);
            (from, to) = (Math.Max(0, from), Math.Min(span.Length, to));
            if (from < to)
                (start, end) = (Math.Min(start, plain + from), Math.Max(end, plain + to));
            stored += span.Stored;
            plain += span.Length;
        }

        return start < end ? new FilledRange(start, end) : null;
    }
}

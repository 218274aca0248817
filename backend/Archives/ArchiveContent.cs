using NzbDav.Archives.Ciphers;
using NzbDav.Archives.Layouts;
using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>Opens entries as content over the files of the post.</summary>
public static class ArchiveContent
{
    /// <summary>Opens an entry's bytes. Costs nothing until a reader is opened.</summary>
    /// <param name="entry">An entry that is neither a folder nor refused.</param>
    /// <param name="files">The list that was given to <see cref="ArchiveReader"/>.</param>
    /// <param name="pool">Buffers for decrypted bytes.</param>
    /// <exception cref="ArgumentException">The entry is refused.</exception>
    public static IContent Open(ArchiveEntry entry, IReadOnlyList<IContent> files, BufferPool pool)
    {
        ArgumentNullException.ThrowIfNull(entry);
        ArgumentNullException.ThrowIfNull(files);
        if (entry.Refusal is { } refusal)
            throw new ArgumentException($"'{entry.Path}' cannot be opened: {refusal.Text}", nameof(entry));
        var parts = new IContent[entry.Spans.Length];
        for (var i = 0; i < parts.Length; i++)
            parts[i] = Open(entry.Spans[i], files, pool);
        return parts is [var only] ? only : new ConcatenatedContent(parts);
    }

    private static IContent Open(ArchiveSpan span, IReadOnlyList<IContent> files, BufferPool pool)
    {
        var pieces = new IContent[span.Pieces.Length];
        for (var i = 0; i < pieces.Length; i++)
            pieces[i] = new SliceContent(files[span.Pieces[i].Volume], span.Pieces[i].Offset, span.Pieces[i].Length);
        var whole = pieces is [var only] ? only : new ConcatenatedContent(pieces);
        if (span.Cipher is not { } cipher)
            return whole;
        var plain = new AesCbcContent(whole, cipher, span.Start + span.Length, pool);
        return span.Start == 0 ? plain : new SliceContent(plain, span.Start, span.Length);
    }
}

namespace NzbDav.Usenet.Nntp;

/// <summary>The contents of an article's yEnc header lines.</summary>
/// <param name="Name">File name as posted; may be random characters.</param>
/// <param name="FileSize">Decoded size of the whole posted file, or −1 when not stated.</param>
/// <param name="Part">Number of the part, from 1; 0 for a file of one article.</param>
/// <param name="TotalParts">Number of parts, or 0 when not stated.</param>
/// <param name="Begin">Offset of the part's first byte in the posted file, from 0.</param>
/// <param name="PartSize">Decoded bytes of the part.</param>
public sealed record ArticleHeader(string Name, long FileSize, int Part, int TotalParts, long Begin, int PartSize)
{
    /// <summary>
    /// True if <c>=ypart</c> of this article counts bytes from 0, so that <see cref="Begin"/> equals its <c>begin</c>. The yEnc format
    /// counts from 1.
    /// </summary>
    public bool IsFromZero { get; init; }

    /// <summary>The same part, read as if its <c>=ypart</c> counted from 0.</summary>
    public ArticleHeader FromZero() => IsFromZero ? this : this with { Begin = Begin + 1, IsFromZero = true };

    /// <summary>Offset after the part's last byte.</summary>
    public long End => Begin + PartSize;

    /// <summary>True when the stated size or number of parts contradicts the part's own number and place.</summary>
    public bool IsContradictory =>
        (FileSize >= 0 && End > FileSize)
        || (TotalParts > 0 && Part > TotalParts)
        || (FileSize >= 0 && TotalParts > 0 && Part == TotalParts && End != FileSize);

    /// <summary>
    /// True when size and number of parts cannot belong to this part, if all parts but the last are as big as this one. Since 2026 many
    /// posts carry random numbers there, different ones in each article, while number, place and checksum of the part are true. A file with
    /// parts of several sizes looks the same, so the articles of a file are compared with each other before their size is ignored.
    /// </summary>
    public bool HasFakeTotals => IsContradictory
        || (FileSize >= 0 && Part > 0 && Part < TotalParts && Begin == (Part - 1L) * PartSize
            && (FileSize <= (TotalParts - 1L) * PartSize || FileSize > (long)TotalParts * PartSize));
}

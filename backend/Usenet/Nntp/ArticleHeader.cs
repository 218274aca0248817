namespace NzbDav.Usenet.Nntp;

/// <summary>The contents of an article's yEnc header lines.</summary>
/// <param name="Name">File name as posted; may be noise.</param>
/// <param name="FileSize">Decoded size of the whole posted file, or −1 when not said.</param>
/// <param name="Part">Number of the part, from 1; 0 for a file of one article.</param>
/// <param name="TotalParts">Number of parts, or 0 when not said.</param>
/// <param name="Begin">Offset of the part's first byte in the posted file, from 0.</param>
/// <param name="PartSize">Decoded bytes of the part.</param>
public sealed record ArticleHeader(string Name, long FileSize, int Part, int TotalParts, long Begin, int PartSize);

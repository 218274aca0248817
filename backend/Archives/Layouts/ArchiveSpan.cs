using System.Collections.Immutable;

namespace NzbDav.Archives.Layouts;

/// <summary>
/// A run of an entry's bytes: either the bytes of its pieces as they are, or a cut out of what its pieces give when they are put
/// together and decrypted.
/// </summary>
/// <param name="Pieces">Where the bytes are, in order. With a cipher their sum is a multiple of 16.</param>
/// <param name="Cipher">Null for plain bytes.</param>
/// <param name="Start">Offset of the run's first byte in what the pieces give: 0 without a cipher; not 0 for the
/// second and later files that 7z encrypted together, and for what is inside an archive in an encrypted archive.</param>
/// <param name="Length">Bytes of the run. Without a cipher the sum of the pieces; with one that sum less <paramref name="Start"/> and the padding.</param>
public sealed record ArchiveSpan(ImmutableArray<ArchivePiece> Pieces, ArchiveCipher? Cipher, long Start, long Length);

using System.Collections.Immutable;

namespace NzbDav.Archives.Layouts;

/// <summary>
/// A run of an entry's bytes: either the bytes of its pieces as stored, or a range of the result of joining and decrypting them.
/// </summary>
/// <param name="Pieces">Where the bytes are, in order. With a cipher, their lengths add up to a multiple of 16.</param>
/// <param name="Cipher">Null for plain bytes.</param>
/// <param name="Start">Offset of the run's first byte in the decrypted pieces: 0 without a cipher. Not 0 for the second and later files that 7z
/// encrypted together, and for the contents of an archive in an encrypted archive.</param>
/// <param name="Length">Bytes of the run. Without a cipher the sum of the pieces; with one that sum less <paramref name="Start"/> and the padding.</param>
public sealed record ArchiveSpan(ImmutableArray<ArchivePiece> Pieces, ArchiveCipher? Cipher, long Start, long Length);

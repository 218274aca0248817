using System.Collections.Immutable;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Ciphers;

/// <summary>A stored and encrypted file, for a <see cref="PasswordProver"/>.</summary>
/// <param name="Path">Path; its extension may imply a type.</param>
/// <param name="Pieces">The ciphertext, beginning with the file's first byte.</param>
/// <param name="Size">Number of plain bytes; null if unknown.</param>
/// <param name="Crc32">CRC-32 of the plain bytes; null if unknown.</param>
/// <param name="Candidates">Each password with its cipher; derived on enumeration.</param>
internal sealed record EncryptedFile(
    string Path, ImmutableArray<ArchivePiece> Pieces, long? Size, uint? Crc32, IEnumerable<(string Password, ArchiveCipher Cipher)> Candidates)
{
    /// <summary>Bytes of ciphertext.</summary>
    public long Packed { get; } = Pieces.Sum(piece => piece.Length);
}

using System.Collections.Immutable;
using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Ciphers;

/// <summary>A stored and encrypted file, for a <see cref="PasswordProver"/>.</summary>
/// <param name="Path">Its ending may promise a type.</param>
/// <param name="Pieces">Ciphertext, beginning with the file's first byte.</param>
/// <param name="Size">Plain bytes; null when not known.</param>
/// <param name="Crc32">Of the plain bytes; null when not known.</param>
/// <param name="Candidates">Each password with its cipher, derived as they are asked for.</param>
internal sealed record EncryptedFile(
    string Path, ImmutableArray<ArchivePiece> Pieces, long? Size, uint? Crc32, IEnumerable<(string Password, ArchiveCipher Cipher)> Candidates)
{
    /// <summary>Bytes of ciphertext.</summary>
    public long Packed { get; } = Pieces.Sum(piece => piece.Length);
}

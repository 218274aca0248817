using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>How a RAR file's bytes, or a volume's headers, are encrypted.</summary>
/// <param name="Format">Decides cipher and key derivation.</param>
/// <param name="Salt">16 bytes (RAR5), 8 or none (RAR4).</param>
/// <param name="IV">16 bytes (RAR5); empty for RAR4, which derives it, and for headers, which have one each.</param>
/// <param name="Rounds">Binary logarithm of the PBKDF2 iterations (RAR5).</param>
/// <param name="Check">8 bytes that identify the right password (RAR5), or empty.</param>
/// <param name="KeyedChecksums">True when checksums are keyed too, and so useless without the password (RAR5).</param>
internal sealed record RarEncryption(
    ArchiveFormat Format, ReadOnlyMemory<byte> Salt, ReadOnlyMemory<byte> IV, int Rounds, ReadOnlyMemory<byte> Check, bool KeyedChecksums);

namespace NzbDav.Archives.Layouts;

/// <summary>AES in CBC mode, as all archive formats use it.</summary>
/// <param name="Key">16 bytes (RAR4) or 32 bytes (RAR5, 7z).</param>
/// <param name="IV">16 bytes, with which the first block is combined.</param>
public sealed record ArchiveCipher(ReadOnlyMemory<byte> Key, ReadOnlyMemory<byte> IV);

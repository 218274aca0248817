using System.Collections.Immutable;

namespace NzbDav.Archives.Layouts;

/// <summary>A file or folder in an archive.</summary>
public sealed record ArchiveEntry
{
    /// <summary>
    /// Path in the archive, with '/' between names. Not made safe: it may be empty, begin with '/', or contain "..", device names or
    /// control characters.
    /// </summary>
    public required string Path { get; init; }

    /// <summary>Size of the file in bytes, decrypted; 0 for a folder.</summary>
    public required long Size { get; init; }

    /// <summary>True for a folder.</summary>
    public bool IsDirectory { get; init; }

    /// <summary>
    /// When it was last changed; null if the archive does not say. RAR4's local times, which have no zone, are read as UTC.
    /// </summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>
    /// The location of its bytes, in order. The lengths add up to <see cref="Size"/>. Empty for folders, empty files and refused entries.
    /// </summary>
    public ImmutableArray<ArchiveSpan> Spans { get; init; } = [];

    /// <summary>CRC-32 of the file's bytes; null if the archive has none (or only a keyed one).</summary>
    public uint? Crc32 { get; init; }

    /// <summary>BLAKE2sp of the file's bytes, 32 bytes (RAR5); empty if the archive has none (or only a keyed one).</summary>
    public ReadOnlyMemory<byte> Blake2 { get; init; }

    /// <summary>Why this entry cannot be served as stored; null if it can.</summary>
    public ArchiveRefusal? Refusal { get; init; }
}

/// <summary>
/// A run of an entry's bytes: either the bytes of its pieces as stored, or a range of the result of joining and decrypting them.
/// </summary>
/// <param name="Pieces">The location of the bytes, in order. With a cipher, their lengths add up to a multiple of 16.</param>
/// <param name="Cipher">Null for plain bytes.</param>
/// <param name="Start">Offset of the run's first byte in the decrypted pieces; 0 without a cipher. Not 0 for the second and later files
/// that 7z encrypted together, and for the contents of an archive inside an encrypted archive.</param>
/// <param name="Length">Bytes of the run: without a cipher the sum of the pieces; with one that sum minus <paramref name="Start"/> and the
/// padding.</param>
public sealed record ArchiveSpan(ImmutableArray<ArchivePiece> Pieces, ArchiveCipher? Cipher, long Start, long Length);

/// <summary>Contiguous bytes in one volume.</summary>
/// <param name="Volume">Index into the list of files that was given to <see cref="ArchiveReader"/>.</param>
/// <param name="Offset">Offset of the first byte in that file.</param>
/// <param name="Length">In bytes, at least 1.</param>
public readonly record struct ArchivePiece(int Volume, long Offset, long Length);

/// <summary>AES in CBC mode, as all archive formats use it.</summary>
/// <param name="Key">16 bytes (RAR4) or 32 bytes (RAR5, 7z).</param>
/// <param name="IV">16 bytes, combined with the first block.</param>
public sealed record ArchiveCipher(ReadOnlyMemory<byte> Key, ReadOnlyMemory<byte> IV);

using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>A file header: a file, or the part of a file that is in this volume.</summary>
internal sealed record RarFile
{
    public required string Path { get; init; }

    /// <summary>Offset of its packed bytes in the volume.</summary>
    public required long DataOffset { get; init; }

    /// <summary>Packed bytes in this volume.</summary>
    public required long PackedSize { get; init; }

    /// <summary>Unpacked bytes of the whole file; null if the header says that the size is unknown.</summary>
    public long? Size { get; init; }

    /// <summary>0 = stored, 1 … 5 = compressed.</summary>
    public int Method { get; init; }

    public bool Solid { get; init; }

    public bool IsDirectory { get; init; }

    public bool SplitBefore { get; init; }

    public bool SplitAfter { get; init; }

    public DateTimeOffset? Modified { get; init; }

    /// <summary>CRC-32 of the unpacked file; for a part that continues in the next volume, that of the part's packed bytes.</summary>
    public uint? Crc32 { get; init; }

    /// <summary>BLAKE2sp of the same bytes as <see cref="Crc32"/>.</summary>
    public ReadOnlyMemory<byte> Blake2 { get; init; }

    public RarEncryption? Encryption { get; init; }

    public RarLink Link { get; init; }

    /// <summary>The path that a link refers to.</summary>
    public string? LinkTarget { get; init; }

    /// <summary>Why the header cannot be used, as text; null if it can.</summary>
    public string? Unsupported { get; init; }
}

/// <summary>How a header refers to another file instead of containing bytes.</summary>
internal enum RarLink
{
    /// <summary>Not a link.</summary>
    None,

    /// <summary>A symbolic link or junction.</summary>
    Symbolic,

    /// <summary>A hard link or a copy: the same bytes as an earlier entry of the archive.</summary>
    Same,
}

/// <summary>How a RAR file's bytes, or a volume's headers, are encrypted.</summary>
/// <param name="Format">Determines cipher and key derivation.</param>
/// <param name="Salt">16 bytes (RAR5), 8 or none (RAR4).</param>
/// <param name="IV">16 bytes (RAR5). Empty for RAR4, which derives it, and for headers, which have one each.</param>
/// <param name="Rounds">Binary logarithm of the PBKDF2 iterations (RAR5).</param>
/// <param name="Check">8 bytes that identify the right password (RAR5), or empty.</param>
/// <param name="KeyedChecksums">True if checksums are keyed too, and so useless without the password (RAR5).</param>
internal sealed record RarEncryption(
    ArchiveFormat Format, ReadOnlyMemory<byte> Salt, ReadOnlyMemory<byte> IV, int Rounds, ReadOnlyMemory<byte> Check, bool KeyedChecksums);

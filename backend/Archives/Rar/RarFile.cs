namespace NzbDav.Archives.Rar;

/// <summary>A file header: a file, or the part of one that lies in this volume.</summary>
internal sealed record RarFile
{
    public required string Path { get; init; }

    /// <summary>Offset in the volume of its packed bytes.</summary>
    public required long DataOffset { get; init; }

    /// <summary>Packed bytes in this volume.</summary>
    public required long PackedSize { get; init; }

    /// <summary>Unpacked bytes of the whole file; null if the header says that the size is unknown.</summary>
    public long? Size { get; init; }

    /// <summary>0: stored; 1 … 5: compressed.</summary>
    public int Method { get; init; }

    public bool Solid { get; init; }

    public bool IsDirectory { get; init; }

    public bool SplitBefore { get; init; }

    public bool SplitAfter { get; init; }

    public DateTimeOffset? Modified { get; init; }

    /// <summary>CRC-32 of the unpacked file; in a part that continues in the next volume, of the part's packed bytes.</summary>
    public uint? Crc32 { get; init; }

    /// <summary>BLAKE2sp of the same bytes as <see cref="Crc32"/>.</summary>
    public ReadOnlyMemory<byte> Blake2 { get; init; }

    public RarEncryption? Encryption { get; init; }

    public RarLink Link { get; init; }

    /// <summary>What a link refers to.</summary>
    public string? LinkTarget { get; init; }

    /// <summary>Why the header cannot be used, as text; null when it can.</summary>
    public string? Unsupported { get; init; }
}

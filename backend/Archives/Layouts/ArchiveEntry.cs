using System.Collections.Immutable;

namespace NzbDav.Archives.Layouts;

/// <summary>A file or folder in an archive.</summary>
public sealed record ArchiveEntry
{
    /// <summary>
    /// Path in the archive, with '/' between names. Not made safe: it may contain "..", device names or control characters, be
    /// empty or begin with '/'.
    /// </summary>
    public required string Path { get; init; }

    /// <summary>Size of the file in bytes, decrypted; 0 for a folder.</summary>
    public required long Size { get; init; }

    /// <summary>True for a folder.</summary>
    public bool IsDirectory { get; init; }

    /// <summary>When it was last changed; null if the archive does not say. Local times without a zone (RAR4) are read as UTC.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>Where the bytes are, in order; lengths add up to <see cref="Size"/>. Empty for folders, empty files and refused entries.</summary>
    public ImmutableArray<ArchiveSpan> Spans { get; init; } = [];

    /// <summary>CRC-32 of the file's bytes; null when the archive does not say (or only in a keyed form).</summary>
    public uint? Crc32 { get; init; }

    /// <summary>BLAKE2sp of the file's bytes, 32 bytes (RAR5); empty when the archive does not say (or only in a keyed form).</summary>
    public ReadOnlyMemory<byte> Blake2 { get; init; }

    /// <summary>Why this entry cannot be served as stored; null if it can.</summary>
    public ArchiveRefusal? Refusal { get; init; }
}

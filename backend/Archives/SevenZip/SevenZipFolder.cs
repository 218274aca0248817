namespace NzbDav.Archives.SevenZip;

/// <summary>Streams that were packed together: 7z's "folder" (not a directory).</summary>
internal sealed class SevenZipFolder
{
    public required SevenZipCoder[] Coders { get; init; }

    /// <summary>The coders from the plain bytes to the packed ones; null when they do not form a simple chain (BCJ2).</summary>
    public required SevenZipCoder[]? Chain { get; init; }

    /// <summary>Number of output bytes of each coder in <see cref="Coders"/>.</summary>
    public long[] Sizes { get; set; } = [];

    /// <summary>Indexes in <see cref="Coders"/> of the chain's coders.</summary>
    public required int[] ChainIndexes { get; init; }

    /// <summary>Index in <see cref="Coders"/> of the one that outputs the plain bytes: no other coder takes its output.</summary>
    public required int MainCoder { get; init; }

    public required int PackedStreams { get; init; }

    /// <summary>Offset in the archive of its first packed stream.</summary>
    public long PackedStart { get; set; }

    public long PackedSize { get; set; }

    public uint? Crc32 { get; set; }

    /// <summary>Bytes when unpacked.</summary>
    public long Size => Sizes.Length > 0 ? Sizes[MainCoder] : 0;

    /// <summary>The files in it: size and checksum of each.</summary>
    public List<(long Size, uint? Crc32)> Streams { get; } = [];
}

namespace NzbDav.Archives.SevenZip;

/// <summary>Streams that were packed together: a "folder" in 7z's terms, which is no directory.</summary>
internal sealed class SevenZipFolder
{
    public required SevenZipCoder[] Coders { get; init; }

    /// <summary>The coders from the plain bytes to the packed ones; null if they do not form a simple chain (BCJ2).</summary>
    public required SevenZipCoder[]? Chain { get; init; }

    /// <summary>Number of output bytes of each coder in <see cref="Coders"/>.</summary>
    public long[] Sizes { get; set; } = [];

    /// <summary>Indexes of the chain's coders in <see cref="Coders"/>.</summary>
    public required int[] ChainIndexes { get; init; }

    /// <summary>Index in <see cref="Coders"/> of the one that outputs the plain bytes: no other coder uses its output.</summary>
    public required int MainCoder { get; init; }

    public required int PackedStreams { get; init; }

    /// <summary>Offset in the archive of its first packed stream.</summary>
    public long PackedStart { get; set; }

    public long PackedSize { get; set; }

    public uint? Crc32 { get; set; }

    /// <summary>Number of unpacked bytes.</summary>
    public long Size => Sizes.Length > 0 ? Sizes[MainCoder] : 0;

    /// <summary>The files in it: size and checksum of each.</summary>
    public List<(long Size, uint? Crc32)> Streams { get; } = [];
}

/// <summary>One step of a folder's packing.</summary>
/// <param name="Method">The bytes of the id as one number, the first byte being the highest.</param>
/// <param name="Properties">The step's settings.</param>
/// <param name="InStreams">Number of input streams: 1 except for BCJ2.</param>
internal sealed record SevenZipCoder(ulong Method, ReadOnlyMemory<byte> Properties, int InStreams)
{
    public const ulong Copy = 0x00;
    public const ulong Lzma = 0x030101;
    public const ulong SecondLzma = 0x21;
    public const ulong Aes = 0x06F10701;

    /// <summary>Its name for the user, as in Methods.txt of 7-Zip.</summary>
    public string Name => Method switch
    {
        Copy => "Copy",
        Lzma => "LZMA",
        SecondLzma => "LZMA2",
        Aes => "AES",
        0x03 => "Delta",
        0x04 or 0x03030103 => "BCJ",
        0x0303011B => "BCJ2",
        0x05 or 0x03030205 => "PPC",
        0x06 or 0x03030401 => "IA64",
        0x07 or 0x03030501 => "ARM",
        0x08 or 0x03030701 => "ARMT",
        0x09 or 0x03030805 => "SPARC",
        0x0A => "ARM64",
        0x0B => "RISCV",
        0x030401 => "PPMd",
        0x040108 => "Deflate",
        0x040109 => "Deflate64",
        0x040202 => "BZip2",
        0x04F71101 => "Zstandard",
        0x04F71102 => "Brotli",
        0x04F71104 => "LZ4",
        _ => $"{Method:X}",
    };
}

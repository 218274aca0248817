namespace NzbDav.Archives.SevenZip;

/// <summary>One step of a folder's packing.</summary>
/// <param name="Method">The bytes of the id as one number, the first byte the highest.</param>
/// <param name="Properties">The step's settings.</param>
/// <param name="InStreams">Number of input streams: 1 except for BCJ2.</param>
internal sealed record SevenZipCoder(ulong Method, ReadOnlyMemory<byte> Properties, int InStreams)
{
    public const ulong Copy = 0x00;
    public const ulong Lzma = 0x030101;
    public const ulong SecondLzma = 0x21;
    public const ulong Aes = 0x06F10701;

    /// <summary>Name for people, as in Methods.txt of 7-Zip.</summary>
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

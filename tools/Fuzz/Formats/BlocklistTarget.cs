using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Blocking;

namespace NzbDav.Fuzz.Formats;

/// <summary>Lists of blocked addresses.</summary>
internal sealed class BlocklistTarget() : FuzzTarget("blocklist", "Lists of blocked addresses")
{
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [[0x1F, 0x8B, 8],
        .. ":|-| - |,|/32|/0|/129|0.0.0.0|255.255.255.255|::|ffff:ffff::|001.002.003.004|#|//|\r\n|\n|\0".Split('|').Select(Text)];

    /// <summary>The buffers of the reader, and the ranges of a compressed file.</summary>
    public override long MostAllocated(int length) => 8 << 20;

    public override object? Run(byte[] input, Cuts cuts)
    {
        using var stream = new MemoryStream(input, writable: false);
        try
        {
            var (ranges, malformed, first) = BlocklistReader.Read(stream);
            return $"{ranges.Count} {ranges.Bytes} {malformed} {first}";
        }
        catch (InvalidDataException refused)
        {
            return refused.Message;
        }
    }
}

using NzbDav.Library.Media;

namespace NzbDav.Library.Starts;

/// <summary>The start of an AVI file: the headers, the first of the data, and the index, behind the data or (<see cref="OpenDmlIndex"/>) all over the file.</summary>
internal static class RiffStart
{
    private const int MostChunks = 64;
    private const int Header = 12;
    private const long Data = 2 << 20;

    /// <summary>16 bytes a frame: three hours have 5 MiB with their sound.</summary>
    private const long LargestIndex = 8 << 20;

    /// <param name="window">The file.</param>
    /// <param name="ranges">Gets what is wanted.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async ValueTask AddAsync(MediaWindow window, StartRanges ranges, CancellationToken cancellationToken)
    {
        ranges.Add(0, Data);
        long at = 12;
        for (var chunks = 0; chunks < MostChunks && at + 8 <= window.Length; chunks++)
        {
            var bytes = await window.ReadAsync(at, Header, cancellationToken);
            var type = Bits.FourCc(bytes.Span, 0);
            long size = Bits.L32(bytes.Span, 4);
            if (type == "LIST" && Bits.FourCc(bytes.Span, 8) == "movi")
                ranges.Add(0, at + Data);
            else if (type == "LIST" && Bits.FourCc(bytes.Span, 8) == "hdrl")
                await OpenDmlIndex.AddAsync(window, at + 12, at + 8 + size, ranges, cancellationToken);
            else if (type == "idx1")
                ranges.Add(at, 8 + Math.Min(size, LargestIndex));
            at += 8 + size + (size & 1);
        }
    }
}

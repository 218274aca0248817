using System.Text;
using NzbDav.Fakes;

namespace NzbDav.Archives.Tests;

/// <summary>The files that the fixtures were made from.</summary>
internal static class Sources
{
    public static DateTimeOffset Modified { get; } = DateTimeOffset.FromUnixTimeSeconds(1_700_000_001).AddMilliseconds(250);

    /// <summary>By path. The video begins with the signature of Matroska.</summary>
    public static IReadOnlyDictionary<string, byte[]> All { get; } = new Dictionary<string, byte[]>(StringComparer.Ordinal)
    {
        ["video.mkv"] = Video(1, 6000),
        ["note.nfo"] = SeededBytes.Make(2, 100),
        ["Extras/Ünïcödé 日本.srt"] = SeededBytes.Make(3, 700),
        ["empty.txt"] = [],
    };

    /// <summary>Lines that can be compressed.</summary>
    public static byte[] Text { get; } = Encoding.ASCII.GetBytes(
        string.Concat(Enumerable.Range(0, 1200).Select(i => $"line {i} of {i * i % 977} and {i % 7}\n")));

    public static byte[] Video(int seed, int length)
    {
        var bytes = SeededBytes.Make(seed, length);
        ((ReadOnlySpan<byte>)[0x1A, 0x45, 0xDF, 0xA3]).CopyTo(bytes);
        return bytes;
    }
}

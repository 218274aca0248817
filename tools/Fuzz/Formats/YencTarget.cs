using System.Globalization;
using System.Text;
using NzbDav.Content.Checksums;
using NzbDav.Fuzz.Contract;
using NzbDav.Usenet.Yenc;

namespace NzbDav.Fuzz.Formats;

/// <summary>Articles as they follow the status line of BODY: dot-stuffed, with or without yEnc.</summary>
internal sealed class YencTarget() : FuzzTarget("yenc", "yEnc articles")
{
    /// <summary>Bytes after a part that must stay unchanged.</summary>
    private const int Guard = 5;

    public override IReadOnlyList<byte[]> Words { get; } =
    [
        .. "=ybegin |=ypart |=yend |line=128 |size=|begin=|end=|part=1 |total=2 |name=a b.bin|pcrc32=|crc32=|\r\n.\r\n|\r\n..|\r\n|.\r\n|=|=}|=J|\r|\n|.".Split('|').Select(Text),
    ];

    /// <summary>A header may announce a part of 64 MiB, and the fuzzer allocates what it announces.</summary>
    public override long MostAllocated(int length) => YencArticleDecoder.MaxPartSize + (1 << 20);

    public override IEnumerable<byte[]> Seeds()
    {
        var data = Enumerable.Range(0, 600).Select(static i => (byte)((i * 7) ^ (i >> 3))).ToArray();
        yield return Article(data, "=ybegin part=2 total=3 line=128 size=1800 name=a film.mkv\r\n=ypart begin=601 end=1200\r\n",
            $"=yend size=600 part=2 pcrc32={Hash(data):x8}\r\n");
        yield return Article(data, "=ybegin line=128 size=600 name=\"a.bin\"\r\n", $"=yend size=600 crc32={Hash(data):X8}\r\n");
        yield return Article(data[..40], "preamble\r\n..dots\r\n=ybegin part=1 line=64 size=40 name=x\r\n=ypart begin=1 end=40\r\n",
            "=yend size=40\r\nand more\r\n");
        yield return Text("begin 644 a.bin\r\nM\"@H*\r\n`\r\nend\r\n.\r\n222 0 <next@article>\r\n");
    }

    public override object? Run(byte[] input, Cuts cuts)
    {
        var decoder = new YencArticleDecoder();
        var said = new StringBuilder();
        byte[] destination = [];
        int position = 0, end = 0;
        while (true)
        {
            var feed = decoder.Feed(input.AsSpan(position, end - position), out var consumed);
            BrokenPromiseException.ThrowUnless(consumed >= 0 && consumed <= end - position, "No byte is consumed that was not there.");
            position += consumed;
            if (feed == ArticleFeed.Complete)
                break;
            if (feed == ArticleFeed.HeaderReady)
            {
                var header = decoder.Header;
                said.Append(CultureInfo.InvariantCulture, $"{header.PartSize} {header.FileSize} {header.Begin} {header.HasRange} ");
                destination = new byte[(int)header.PartSize + Guard];
                decoder.SetDestination(destination);
                continue;
            }

            BrokenPromiseException.ThrowUnless(position == end, "All bytes are consumed if more are needed.");
            if (end == input.Length)
                break;
            end += cuts.At(end, input.Length - end);
        }

        BrokenPromiseException.ThrowUnless(
            decoder.Written <= destination.Length - Guard || destination.Length == 0, "Nothing is written beyond the part.");
        BrokenPromiseException.ThrowUnless(!destination.AsSpan(Math.Max(0, destination.Length - Guard)).ContainsAnyExcept((byte)0),
            "Bytes after the part stay unchanged.");
        var data = destination.AsSpan(0, decoder.Written);
        BrokenPromiseException.ThrowUnless(
            decoder.Result is YencResult.None || decoder.Written == 0 || decoder.Crc == Hash(data), "The checksum is that of the bytes.");
        return said.Append(CultureInfo.InvariantCulture,
            $"{decoder.Result} {decoder.CrcVerified} {decoder.Written} {position} {Hash(data):x8}").ToString();
    }

    private static uint Hash(ReadOnlySpan<byte> data) => Crc32.Append(0, data);

    private static byte[] Article(byte[] data, string head, string tail)
    {
        var lines = new List<byte>(Text(head));
        for (var i = 0; i < data.Length; i++)
        {
            var coded = (byte)(data[i] + 42);
            if (i % 128 == 0 && coded == '.')
                lines.Add((byte)'.');
            if (coded is 0 or (byte)'\r' or (byte)'\n' or (byte)'=')
                lines.AddRange([(byte)'=', (byte)(coded + 64)]);
            else
                lines.Add(coded);
            if (i % 128 == 127)
                lines.AddRange("\r\n"u8);
        }

        return [.. lines, .. "\r\n"u8, .. Text(tail), .. ".\r\n"u8];
    }
}

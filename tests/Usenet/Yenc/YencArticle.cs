using System.Globalization;
using System.Text;

namespace NzbDav.Usenet.Tests.Yenc;

/// <summary>A plain yEnc encoder for test data: one article as it comes over NNTP, dot-stuffed and terminated.</summary>
internal static class YencArticle
{
    /// <summary>Bytes that look random and are the same at every run.</summary>
    public static byte[] RandomBytes(int length, int seed = 1)
    {
        var bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>The data lines only, dot-stuffed, each ended by CR LF.</summary>
    public static byte[] EncodeLines(ReadOnlySpan<byte> data, int lineLength = 128)
    {
        var output = new List<byte>(data.Length + data.Length / 32 + 16);
        var column = 0;
        foreach (var value in data)
        {
            var encoded = (byte)(value + 42);
            if (encoded is 0 or (byte)'\r' or (byte)'\n' or (byte)'=')
            {
                output.Add((byte)'=');
                encoded += 64;
                column++;
            }
            else if (encoded == '.' && column == 0)
            {
                output.Add((byte)'.');
            }

            output.Add(encoded);
            if (++column >= lineLength)
            {
                output.AddRange("\r\n"u8);
                column = 0;
            }
        }

        if (column > 0)
            output.AddRange("\r\n"u8);
        return [.. output];
    }

    /// <summary>A part of a file.</summary>
    public static byte[] Part(
        ReadOnlySpan<byte> data, long begin = 0, long? fileSize = null, int part = 1, int total = 2, string name = "file.bin")
    {
        var lines = EncodeLines(data);
        var head = string.Create(CultureInfo.InvariantCulture,
            $"=ybegin part={part} total={total} line=128 size={fileSize ?? begin + data.Length} name={name}\r\n"
            + $"=ypart begin={begin + 1} end={begin + data.Length}\r\n");
        var tail = string.Create(CultureInfo.InvariantCulture, $"=yend size={data.Length} part={part} pcrc32={Checksum(data):x8}\r\n.\r\n");
        return [.. Encoding.UTF8.GetBytes(head), .. lines, .. Encoding.UTF8.GetBytes(tail)];
    }

    /// <summary>A file in one article, without <c>=ypart</c>.</summary>
    public static byte[] Single(ReadOnlySpan<byte> data, string name = "file.bin")
    {
        var lines = EncodeLines(data);
        var head = string.Create(CultureInfo.InvariantCulture, $"=ybegin line=128 size={data.Length} name={name}\r\n");
        var tail = string.Create(CultureInfo.InvariantCulture, $"=yend size={data.Length} crc32={Checksum(data):X8}\r\n.\r\n");
        return [.. Encoding.UTF8.GetBytes(head), .. lines, .. Encoding.UTF8.GetBytes(tail)];
    }

    /// <summary>CRC-32 bit by bit: slow, and right.</summary>
    public static uint Checksum(ReadOnlySpan<byte> data)
    {
        var register = uint.MaxValue;
        foreach (var value in data)
        {
            register ^= value;
            for (var bit = 0; bit < 8; bit++)
                register = (register >> 1) ^ ((register & 1) == 0 ? 0 : 0xEDB88320);
        }

        return ~register;
    }
}

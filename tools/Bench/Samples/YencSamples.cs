using System.Globalization;
using System.Text;
using NzbDav.Content.Checksums;

namespace NzbDav.Bench.Samples;

/// <summary>Articles as providers send them: random (that is, compressed) data in lines of 128, 716,800 bytes to a part.</summary>
internal static class YencSamples
{
    /// <summary>Decoded bytes of the most common part size.</summary>
    public const int PartSize = 716_800;

    /// <summary>Random bytes, the same in every run.</summary>
    public static byte[] Data(int length = PartSize)
    {
        var data = new byte[length];
        new Random(1).NextBytes(data);
        return data;
    }

    /// <summary>The data lines, dot-stuffed.</summary>
    public static byte[] Lines(ReadOnlySpan<byte> data)
    {
        var output = new MemoryStream(data.Length + data.Length / 20);
        var column = 0;
        foreach (var value in data)
        {
            var encoded = (byte)(value + 42);
            if (encoded is 0 or (byte)'\r' or (byte)'\n' or (byte)'=')
            {
                output.WriteByte((byte)'=');
                encoded += 64;
                column++;
            }
            else if (encoded == '.' && column == 0)
            {
                output.WriteByte((byte)'.');
            }

            output.WriteByte(encoded);
            if (++column >= 128)
            {
                output.Write("\r\n"u8);
                column = 0;
            }
        }

        output.Write("\r\n"u8);
        return output.ToArray();
    }

    /// <summary>An article as it follows the status line of a BODY reply.</summary>
    public static byte[] Article()
    {
        var data = Data();
        var head = string.Create(CultureInfo.InvariantCulture,
            $"=ybegin part=2 total=10 line=128 size=7168000 name=A.file.name-group.part01.rar\r\n=ypart begin={PartSize + 1} " +
            $"end={2 * PartSize}\r\n");
        var tail = string.Create(CultureInfo.InvariantCulture, $"=yend size={PartSize} part=2 pcrc32={Crc32.Append(0, data):x8}\r\n.\r\n");
        return [.. Encoding.ASCII.GetBytes(head), .. Lines(data), .. Encoding.ASCII.GetBytes(tail)];
    }
}

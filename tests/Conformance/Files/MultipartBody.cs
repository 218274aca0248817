using System.Globalization;
using System.Text;
using NzbDav.Conformance.Tests.Stubs;

namespace NzbDav.Conformance.Tests.Files;

/// <summary>Parses a multipart/byteranges answer and checks every part against the source.</summary>
internal static class MultipartBody
{
    public static List<(long Start, long End)> Parse(RawResponse response, long size)
    {
        Assert.Equal(206, response.Status);
        Assert.True(response.IsComplete);
        Assert.Null(response["Content-Range"]);
        const string Type = "multipart/byteranges; boundary=";
        Assert.StartsWith(Type, response["Content-Type"], StringComparison.Ordinal);
        var boundary = "--" + response["Content-Type"]![Type.Length..];
        var rest = response.Body.AsSpan();
        var parts = new List<(long, long)>();
        Eat(ref rest, boundary);
        while (!rest.SequenceEqual("--\r\n"u8))
        {
            Eat(ref rest, "\r\n");
            var head = rest.IndexOf("\r\n\r\n"u8);
            var headers = Encoding.ASCII.GetString(rest[..head]).Split("\r\n");
            Assert.Contains("Content-Type: video/x-matroska", headers);
            var range = headers.Single(line =>
                line.StartsWith("Content-Range: bytes ", StringComparison.Ordinal))["Content-Range: bytes ".Length..].Split('-', '/');
            var (start, end) = (Number(range[0]), Number(range[1]) + 1);
            Assert.Equal(size, Number(range[2]));
            rest = rest[(head + 4)..];
            Assert.True(rest[..(int)(end - start)].SequenceEqual(StubBytes.Slice(start, end)), $"wrong bytes in {start}-{end - 1}");
            rest = rest[(int)(end - start)..];
            parts.Add((start, end));
            Eat(ref rest, "\r\n" + boundary);
        }

        return parts;
    }

    private static long Number(string text) => long.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);

    private static void Eat(ref Span<byte> rest, string expected)
    {
        Assert.Equal(expected, Encoding.ASCII.GetString(rest[..expected.Length]));
        rest = rest[expected.Length..];
    }
}

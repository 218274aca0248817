using System.Globalization;
using System.Text;

namespace NzbDav.Conformance.Tests;

/// <summary>A response as it was on the wire.</summary>
internal sealed class RawResponse
{
    private RawResponse(int status, ILookup<string, string> headers, byte[] body, bool isComplete)
    {
        Status = status;
        Headers = headers;
        Body = body;
        IsComplete = isComplete;
    }

    /// <summary>0 if the connection ended before the head arrived.</summary>
    public int Status { get; }

    public ILookup<string, string> Headers { get; }

    public byte[] Body { get; }

    /// <summary>True if the body ended where its framing says.</summary>
    public bool IsComplete { get; }

    public string Text => Encoding.UTF8.GetString(Body);

    /// <summary>The one value of a header; null if absent.</summary>
    public string? this[string header] => Headers[header].SingleOrDefault();

    public static RawResponse Parse(byte[] wire, bool isHead)
    {
        var end = wire.AsSpan().IndexOf("\r\n\r\n"u8);
        if (end < 0)
            return new(0, Array.Empty<string>().ToLookup(line => line), [], isComplete: false);
        var lines = Encoding.Latin1.GetString(wire, 0, end).Split("\r\n");
        var status = int.Parse(lines[0].AsSpan(9, 3), CultureInfo.InvariantCulture);
        if (status == 100)
            return Parse(wire[(end + 4)..], isHead);
        var headers = lines.Skip(1).Select(line => line.Split(": ", 2))
            .ToLookup(pair => pair[0], pair => pair.Length > 1 ? pair[1] : "", StringComparer.OrdinalIgnoreCase);
        var rest = wire.AsSpan(end + 4);
        if (headers["Transfer-Encoding"].Any())
        {
            var (body, complete) = Dechunk(rest);
            return new(status, headers, body, complete);
        }

        var length = headers["Content-Length"].SingleOrDefault() is { } text ? long.Parse(text, CultureInfo.InvariantCulture) : 0;
        return new(status, headers, rest.ToArray(), rest.Length == (isHead || status is 304 or 204 ? 0 : length));
    }

    private static (byte[] Body, bool IsComplete) Dechunk(ReadOnlySpan<byte> wire)
    {
        var body = new MemoryStream();
        while (wire.IndexOf("\r\n"u8) is var line and > 0)
        {
            var size = int.Parse(Encoding.ASCII.GetString(wire[..line]), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
            wire = wire[(line + 2)..];
            if (size == 0)
                return (body.ToArray(), wire.SequenceEqual("\r\n"u8));
            if (wire.Length < size + 2)
                break;
            body.Write(wire[..size]);
            wire = wire[(size + 2)..];
        }

        return (body.ToArray(), false);
    }
}

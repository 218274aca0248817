using System.Text;

namespace NzbDav.MockUsenet.Tests;

/// <summary>A yEnc decoder written from the draft as simply as can be, to judge the encoder by.</summary>
internal sealed class PlainYenc
{
    private PlainYenc(Dictionary<string, string> fields, byte[] payload) => (Fields, Payload) = (fields, payload);

    /// <summary>By line and name, as in <c>ybegin.size</c>.</summary>
    public Dictionary<string, string> Fields { get; }

    public byte[] Payload { get; }

    public long Number(string field) => long.Parse(Fields[field], System.Globalization.CultureInfo.InvariantCulture);

    /// <param name="body">Dot-stuffed lines with the dot line.</param>
    public static PlainYenc Decode(ReadOnlySpan<byte> body)
    {
        var fields = new Dictionary<string, string>(StringComparer.Ordinal);
        var payload = new List<byte>();
        foreach (var line in Lines(body))
        {
            if (line is [(byte)'=', (byte)'y', ..])
                ReadFields(Encoding.UTF8.GetString(line), fields);
            else
                ReadData(line, payload);
        }

        return new PlainYenc(fields, [.. payload]);
    }

    /// <summary>The lines with their stuffing taken off; the dot line must be there, and be the last.</summary>
    public static List<byte[]> Lines(ReadOnlySpan<byte> body)
    {
        var lines = new List<byte[]>();
        while (true)
        {
            var end = body.IndexOf("\r\n"u8);
            Assert.True(end >= 0, "no dot line");
            var line = body[..end];
            body = body[(end + 2)..];
            if (line is [(byte)'.'])
            {
                Assert.True(body.IsEmpty, "bytes after the dot line");
                return lines;
            }

            lines.Add(line is [(byte)'.', ..] ? line[1..].ToArray() : line.ToArray());
            Assert.False(line is [(byte)'.', not (byte)'.', ..], "a line begins with a single dot");
        }
    }

    /// <summary>Bit by bit, as in the standard's definition.</summary>
    public static uint Crc(ReadOnlySpan<byte> data)
    {
        var crc = uint.MaxValue;
        foreach (var value in data)
        {
            crc ^= value;
            for (var bit = 0; bit < 8; bit++)
                crc = (crc & 1) == 1 ? (crc >> 1) ^ 0xEDB88320u : crc >> 1;
        }

        return ~crc;
    }

    private static void ReadFields(string line, Dictionary<string, string> fields)
    {
        var kind = line[1..line.IndexOf(' ', StringComparison.Ordinal)];
        var rest = line[(kind.Length + 1)..];
        var name = rest.IndexOf(" name=", StringComparison.Ordinal);
        if (name >= 0)
        {
            fields[kind + ".name"] = rest[(name + 6)..];
            rest = rest[..name];
        }

        foreach (var pair in rest.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            fields[kind + "." + pair.Split('=')[0]] = pair.Split('=')[1];
    }

    private static void ReadData(byte[] line, List<byte> payload)
    {
        for (var i = 0; i < line.Length; i++)
            payload.Add(line[i] == '=' ? (byte)(line[++i] - 64 - 42) : (byte)(line[i] - 42));
    }
}

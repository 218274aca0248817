using System.Buffers;
using System.Text;

namespace NzbDav.MockUsenet.Articles;

/// <summary>Encodes the reply to BODY: status line, yEnc lines, dot line. Pure, thread-safe.</summary>
internal static class ArticleEncoder
{
    /// <summary>Added to the size for a wrong =ybegin size. Any number that is not a multiple of an article's size will do.</summary>
    private const int SizeLie = 4_097;

    /// <summary>Estimates the encoded size: four critical values in 256, two bytes of line end in 128, and the three yEnc lines.</summary>
    public static int Estimate(int size) => (int)(size * (1 + (4 / 256.0)) * (1 + (2.0 / YencEncoder.LineLength))) + 160;

    public static byte[] Encode(in ArticlePart part, byte[] statusLine)
    {
        var shape = part.Shape;
        if (shape.HasFlag(ArticleShape.NotYenc))
            return [.. statusLine, .. Encoding.ASCII.GetBytes(PlainText(part)), .. ".\r\n"u8];

        if (shape.HasFlag(ArticleShape.Uuencode) || shape.HasFlag(ArticleShape.Base64))
            return [.. statusLine, .. Encoding.ASCII.GetBytes(shape.HasFlag(ArticleShape.Uuencode) ? Uuencoded(part) : MimeEncoded(part)),
                .. ".\r\n"u8];

        var payload = ArrayPool<byte>.Shared.Rent(part.Size);
        var lines = ArrayPool<byte>.Shared.Rent(YencEncoder.MaxLength(part.Size));
        try
        {
            var data = payload.AsSpan(0, part.Size);
            part.ReadPayload(data);
            var length = YencEncoder.Encode(data, lines);
            var head = Encoding.UTF8.GetBytes(Head(part, shape));
            var tail = Encoding.ASCII.GetBytes(Tail(part, shape, Crc32.Of(data)));
            var wire = GC.AllocateUninitializedArray<byte>(statusLine.Length + head.Length + length + tail.Length);
            statusLine.CopyTo(wire, 0);
            head.CopyTo(wire, statusLine.Length);
            lines.AsSpan(0, length).CopyTo(wire.AsSpan(statusLine.Length + head.Length));
            tail.CopyTo(wire, wire.Length - tail.Length);
            return wire;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(payload);
            ArrayPool<byte>.Shared.Return(lines);
        }
    }

    private static string Head(ArticlePart part, ArticleShape shape)
    {
        var (total, size) = part.Claim ?? (part.Count, part.Source.Length + (shape.HasFlag(ArticleShape.WrongFileSize) ? SizeLie : 0));
        var head = part.Count == 1 && part.Claim is null
            ? $"=ybegin line={YencEncoder.LineLength} size={size} name={part.Name}\r\n"
            : $"=ybegin part={part.Index + 1} total={total} line={YencEncoder.LineLength} size={size} name={part.Name}\r\n"
                + $"=ypart begin={part.Offset + 1} end={part.Offset + part.Size}\r\n";
        return part.Header?.Invoke(part.Index, head) ?? head;
    }

    private static string Tail(ArticlePart part, ArticleShape shape, uint crc)
    {
        var single = part.Count == 1;
        var number = single ? "" : $" part={part.Index + 1}";
        var sum = shape.HasFlag(ArticleShape.NoTrailingCrc) ? "" : $" {(single ? "crc32" : "pcrc32")}={crc:x8}";
        return $"=yend size={part.Size}{number}{sum}\r\n.\r\n";
    }

    /// <summary>POSIX uuencode: lines of 45 bytes; the first part contains the name, the last the end.</summary>
    private static string Uuencoded(ArticlePart part)
    {
        var data = new byte[(part.Size + 2) / 3 * 3];
        part.ReadPayload(data.AsSpan(0, part.Size));
        var text = new StringBuilder(part.IsFirst ? $"begin 644 {part.Name}\r\n" : "");
        for (var at = 0; at < part.Size; at += 45)
        {
            var count = Math.Min(45, part.Size - at);
            if (count == '.' - ' ')
                text.Append('.');
            text.Append((char)(' ' + count));
            for (var i = at; i < at + count; i += 3)
            {
                var three = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
                for (var shift = 18; shift >= 0; shift -= 6)
                    text.Append((three >> shift & 63) is 0 ? '`' : (char)(' ' + (three >> shift & 63)));
            }

            text.Append("\r\n");
        }

        return part.IsLast ? text.Append("`\r\nend\r\n").ToString() : text.ToString();
    }

    private static string MimeEncoded(ArticlePart part)
    {
        var data = new byte[part.Size];
        part.ReadPayload(data);
        var head = part.IsFirst
            ? $"--part\r\nContent-Type: application/octet-stream; name=\"{part.Name}\"\r\nContent-Transfer-Encoding: Base64\r\n\r\n" : "";
        return head + Convert.ToBase64String(data, Base64FormattingOptions.InsertLineBreaks) + "\r\n";
    }

    private static string PlainText(ArticlePart part)
    {
        var text = new StringBuilder();
        for (var line = 1; line <= 40; line++)
            text.Append($"This article ({part.MessageId}) is plain text and holds nothing to decode, line {line}.\r\n");
        return text.ToString();
    }
}

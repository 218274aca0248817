using System.Buffers;
using System.Text;

namespace NzbDav.Usenet.Nzb;

/// <summary>Cleans up message-ids and rejects those that must not reach an NNTP command line.</summary>
internal static class NzbMessageId
{
    /// <summary>Most bytes. RFC 3977, section 3.1: a command line has at most 512 octets, of which <c>ARTICLE &lt;&gt;</c> and CRLF take
    /// 12.</summary>
    public const int MaxLength = 500;

    private static readonly SearchValues<byte> Forbidden =
        SearchValues.Create([.. Enumerable.Range(0, 0x21).Select(b => (byte)b), 0x7F, (byte)'<', (byte)'>']);

    /// <summary>Strips white space and brackets, resolves references.</summary>
    /// <param name="raw">The text of the element.</param>
    /// <param name="text">Decodes what is not plain ASCII.</param>
    /// <param name="id">Valid UTF-8; may lie in <paramref name="raw"/>.</param>
    /// <returns>False if nothing is left, or the rest is not a message-id.</returns>
    public static bool TryNormalize(ReadOnlySpan<byte> raw, NzbText text, out ReadOnlySpan<byte> id)
    {
        id = raw.Trim(" \t\r\n"u8);
        if (id.Contains((byte)'&') || !Ascii.IsValid(id))
            id = Encoding.UTF8.GetBytes(text.Decode(id).Trim());
        if (id is [(byte)'<', ..])
            id = id[1..];
        if (id is [.., (byte)'>'])
            id = id[..^1];
        id = id.Trim(" \t\r\n"u8);
        return id.Length is > 0 and <= MaxLength && !id.ContainsAny(Forbidden);
    }
}

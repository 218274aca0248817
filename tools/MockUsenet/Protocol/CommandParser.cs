using System.Text;

namespace NzbDav.MockUsenet.Protocol;

/// <summary>Splits received bytes into command lines. Synchronous; allocates nothing.</summary>
internal static class CommandParser
{
    /// <summary>RFC 3977, section 3.1: a command line has at most 512 octets with its CRLF. (RFC 4643 allows longer AUTHINFO arguments;
    /// none is needed.)</summary>
    public const int MaxLine = 512;

    /// <summary>
    /// Takes the next complete line from <paramref name="buffer"/>, without its line end; false if it has not completely arrived.
    /// </summary>
    public static bool TryReadLine(ref ReadOnlySpan<byte> buffer, out ReadOnlySpan<byte> line)
    {
        var end = buffer.IndexOf((byte)'\n');
        if (end < 0)
        {
            line = default;
            return false;
        }

        line = buffer[..end];
        if (line.Length > 0 && line[^1] == '\r')
            line = line[..^1];
        buffer = buffer[(end + 1)..];
        return true;
    }

    /// <summary>Splits a line into the command and its argument, trimmed. Keywords are case-insensitive.</summary>
    public static NntpVerb Parse(ReadOnlySpan<byte> line, out ReadOnlySpan<byte> argument)
    {
        var word = Word(line, out argument);
        if (Is(word, "BODY"u8))
            return NntpVerb.Body;
        if (Is(word, "STAT"u8))
            return NntpVerb.Stat;
        if (Is(word, "HEAD"u8))
            return NntpVerb.Head;
        if (Is(word, "ARTICLE"u8))
            return NntpVerb.Article;
        if (Is(word, "AUTHINFO"u8))
            return Second(ref argument, "USER"u8, "PASS"u8, NntpVerb.AuthInfoUser, NntpVerb.AuthInfoPass);
        if (Is(word, "MODE"u8))
            return Second(ref argument, "READER"u8, default, NntpVerb.ModeReader, NntpVerb.Unknown);
        if (Is(word, "GROUP"u8))
            return NntpVerb.Group;
        if (Is(word, "DATE"u8))
            return NntpVerb.Date;
        if (Is(word, "CAPABILITIES"u8))
            return NntpVerb.Capabilities;
        if (Is(word, "HELP"u8))
            return NntpVerb.Help;
        return Is(word, "QUIT"u8) ? NntpVerb.Quit : NntpVerb.Unknown;
    }

    private static NntpVerb Second(
        ref ReadOnlySpan<byte> argument, ReadOnlySpan<byte> first, ReadOnlySpan<byte> second, NntpVerb one, NntpVerb two)
    {
        var word = Word(argument, out var rest);
        if (Is(word, first))
        {
            argument = rest;
            return one;
        }

        if (second.IsEmpty || !Is(word, second))
            return NntpVerb.Unknown;
        argument = rest;
        return two;
    }

    private static bool Is(ReadOnlySpan<byte> word, ReadOnlySpan<byte> keyword) => Ascii.EqualsIgnoreCase(word, keyword);

    private static ReadOnlySpan<byte> Word(ReadOnlySpan<byte> text, out ReadOnlySpan<byte> rest)
    {
        text = text.Trim(" \t"u8);
        var end = text.IndexOfAny((byte)' ', (byte)'\t');
        if (end < 0)
        {
            rest = default;
            return text;
        }

        rest = text[end..].Trim(" \t"u8);
        return text[..end];
    }
}

/// <summary>The commands that the server supports.</summary>
internal enum NntpVerb
{
    Unknown,
    Capabilities,
    ModeReader,
    AuthInfoUser,
    AuthInfoPass,
    Group,
    Stat,
    Head,
    Body,
    Article,
    Date,
    Help,
    Quit,
}

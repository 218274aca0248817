using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.MockUsenet.Protocol;

/// <summary>A reply, decided when its command arrived and sent in its turn.</summary>
internal readonly struct Reply
{
    public ReplyKind Kind { get; init; }

    public ReadOnlyMemory<byte> Text { get; init; }

    public PostedSegment? Segment { get; init; }

    /// <summary>The fault of the body; null for none.</summary>
    public Fault? Fault { get; init; }

    /// <summary>True if the connection ends after this reply.</summary>
    public bool Close { get; init; }

    /// <summary>Earliest time of the first byte, in ticks; 0 = at once.</summary>
    public long Due { get; init; }

    /// <summary>Additional delay of its first byte in ticks, from the time at which it could have been sent.</summary>
    public long Delay { get; init; }

    /// <summary>Bytes per second of its body; 0 = the connection's rate.</summary>
    public long Rate { get; init; }

    public static implicit operator Reply(byte[] text) => FromText(text);

    public static Reply FromText(byte[] text, bool close = false) => new() { Kind = ReplyKind.Text, Text = text, Close = close };
}

/// <summary>The parts of a <see cref="Reply"/>.</summary>
internal enum ReplyKind
{
    /// <summary>The bytes of <see cref="Reply.Text"/>.</summary>
    Text,

    /// <summary>223 and the message-id.</summary>
    Stat,

    /// <summary>221 and the headers.</summary>
    Head,

    /// <summary>222 and the body.</summary>
    Body,

    /// <summary>220, headers and body.</summary>
    Article,
}

/// <summary>The fixed reply lines (RFC 3977, appendix C; RFC 4643, section 2).</summary>
internal static class Replies
{
    public static readonly byte[] Greeting = "200 MockUsenet ready, posting prohibited\r\n"u8.ToArray();
    public static readonly byte[] ModeReader = "200 Reader mode, posting prohibited\r\n"u8.ToArray();
    public static readonly byte[] Bye = "205 Connection closing\r\n"u8.ToArray();
    public static readonly byte[] Welcome = "281 Authentication accepted\r\n"u8.ToArray();
    public static readonly byte[] NeedPassword = "381 Password required\r\n"u8.ToArray();
    public static readonly byte[] NoSuchGroup = "411 No such newsgroup\r\n"u8.ToArray();
    public static readonly byte[] NoGroup = "412 No newsgroup selected\r\n"u8.ToArray();
    public static readonly byte[] NoSuchNumber = "423 No article with that number\r\n"u8.ToArray();
    public static readonly byte[] NoSuchArticle = "430 No such article\r\n"u8.ToArray();
    public static readonly byte[] NeedLogin = "480 Authentication required\r\n"u8.ToArray();
    public static readonly byte[] LoginRefused = "481 Authentication failed\r\n"u8.ToArray();
    public static readonly byte[] UserFirst = "482 AUTHINFO USER comes first\r\n"u8.ToArray();
    public static readonly byte[] Unknown = "500 Unknown command\r\n"u8.ToArray();
    public static readonly byte[] Syntax = "501 Syntax error\r\n"u8.ToArray();
    public static readonly byte[] TooManyConnections = "502 Too many connections\r\n"u8.ToArray();
    public static readonly byte[] AlreadyIn = "502 Already authenticated\r\n"u8.ToArray();
    public static readonly byte[] QuotaUsedUp = "502 Quota used up\r\n"u8.ToArray();
    public static readonly byte[] Help = "100 See RFC 3977\r\n.\r\n"u8.ToArray();
    public static readonly byte[] Capabilities =
        "101 Capability list:\r\nVERSION 2\r\nREADER\r\nIMPLEMENTATION MockUsenet\r\n.\r\n"u8.ToArray();
    public static readonly byte[] CapabilitiesBeforeLogin =
        "101 Capability list:\r\nVERSION 2\r\nREADER\r\nAUTHINFO USER\r\nIMPLEMENTATION MockUsenet\r\n.\r\n"u8.ToArray();
}

namespace NzbDav.Usenet.Nntp;

/// <summary>Interprets status codes.</summary>
internal static class NntpAnswers
{
    /// <summary>Meaning of a code as the answer to a command.</summary>
    /// <param name="command">What the caller wants to know or get.</param>
    /// <param name="sent">The command that was sent. For <see cref="NntpCommand.Stat"/> it may be another one, if the server does not know
    /// STAT.</param>
    /// <param name="code">The code.</param>
    public static NntpAnswer Of(NntpCommand command, NntpCommand sent, int code) => (command, code) switch
    {
        // RFC 3977 §6.2.2.2, §6.2.3.2: 221 headers follow, 222 body follows (multi-line), in place of 223.
        (NntpCommand.Stat, 220 or 221 or 222) when sent != NntpCommand.Stat => NntpAnswer.YesAndBlock,

        // RFC 3977 §3.2.1: 500 unknown command. STAT is mandatory, but some servers lack it.
        (NntpCommand.Stat, 500) when sent != NntpCommand.Body => NntpAnswer.Unknown,

        // RFC 3977 §6.2.3.2: 222 n message-id Body follows (multi-line). Some servers sometimes send the whole article with code 220: its
        // headers precede the yEnc lines.
        (NntpCommand.Body, 222 or 220) => NntpAnswer.BodyFollows,

        // RFC 3977 §6.2.2.2: 221 n message-id Headers follow (multi-line). A server that sends them in answer to BODY does
        // not have the body.
        (NntpCommand.Body, 221) => NntpAnswer.HeadersFollow,

        // RFC 3977 §6.2.3.2: 430 no article with that message-id; some servers answer 423 or 420 instead, or 451 for an article that was
        // taken down.
        (NntpCommand.Body or NntpCommand.Stat, 430 or 423 or 420 or 451) => NntpAnswer.No,

        // RFC 3977 §6.2.4.2: 223 n message-id Article exists.
        (NntpCommand.Stat, 223) => NntpAnswer.Yes,

        // RFC 3977 §7.1.2: 111 yyyymmddhhmmss. A server that does not know DATE answers 500, which also proves that the connection works.
        (NntpCommand.Date, _) => NntpAnswer.Yes,

        // RFC 3977 §3.2.1: 400 going away, 502 not permitted; RFC 4643 §2: 480 login lost, 481 and 482 login refused.
        (NntpCommand.Body or NntpCommand.Stat, 400 or 480 or 481 or 482 or 502) => NntpAnswer.Refused,

        // 503 fault, or an answer to another command.
        _ => NntpAnswer.OutOfStep,
    };
}

/// <summary>What a status line means for the command that it answers.</summary>
internal enum NntpAnswer
{
    /// <summary>The article follows.</summary>
    BodyFollows,

    /// <summary>The article's headers follow, without its body.</summary>
    HeadersFollow,

    /// <summary>It exists, or the connection is alive.</summary>
    Yes,

    /// <summary>It exists; a multi-line block that nobody needs follows.</summary>
    YesAndBlock,

    /// <summary>The server does not have it.</summary>
    No,

    /// <summary>The server serves no articles on this connection.</summary>
    Refused,

    /// <summary>The server does not know this command.</summary>
    Unknown,

    /// <summary>A fault of the server, or the answer to another command.</summary>
    OutOfStep,
}

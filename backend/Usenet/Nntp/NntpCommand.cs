namespace NzbDav.Usenet.Nntp;

/// <summary>The commands that are pipelined on a logged-in connection.</summary>
internal enum NntpCommand
{
    /// <summary>The body of an article by message-id (RFC 3977 §6.2.3).</summary>
    Body,

    /// <summary>Whether an article exists (RFC 3977 §6.2.4).</summary>
    Stat,

    /// <summary>The headers of an article (RFC 3977 §6.2.2), in place of STAT where a server does not know that.</summary>
    Head,

    /// <summary>Keeps an idle connection alive (RFC 3977 §7.1).</summary>
    Date,

    /// <summary>Ends the session (RFC 3977 §5.4).</summary>
    Quit,
}

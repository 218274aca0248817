namespace NzbDav.Usenet.Nntp;

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

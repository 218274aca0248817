namespace NzbDav.MockUsenet.Protocol;

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

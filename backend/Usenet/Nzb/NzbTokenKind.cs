namespace NzbDav.Usenet.Nzb;

/// <summary>What <see cref="NzbTokenizer"/> came upon.</summary>
internal enum NzbTokenKind
{
    /// <summary>Characters between tags, references not resolved. A long text comes in pieces.</summary>
    Text,

    /// <summary>The inside of a CDATA section: characters, and <c>&amp;</c> is just that.</summary>
    Literal,

    /// <summary>An opening tag, or one that closes itself.</summary>
    StartTag,

    /// <summary>A closing tag.</summary>
    EndTag,

    /// <summary>Nothing more; a tag or comment that was never finished ends here too.</summary>
    End,

    /// <summary>A tag or an attribute is longer than allowed.</summary>
    TooLong,
}

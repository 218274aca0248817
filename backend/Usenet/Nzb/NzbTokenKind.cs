namespace NzbDav.Usenet.Nzb;

/// <summary>Kinds of tokens of <see cref="NzbTokenizer"/>.</summary>
internal enum NzbTokenKind
{
    /// <summary>Characters between tags, references not resolved. A long text is split into several tokens.</summary>
    Text,

    /// <summary>The inside of a CDATA section: plain characters, <c>&amp;</c> included.</summary>
    Literal,

    /// <summary>An opening tag, or one that closes itself.</summary>
    StartTag,

    /// <summary>A closing tag.</summary>
    EndTag,

    /// <summary>End of input, also inside an unfinished tag or comment.</summary>
    End,

    /// <summary>A tag or an attribute is longer than allowed.</summary>
    TooLong,
}

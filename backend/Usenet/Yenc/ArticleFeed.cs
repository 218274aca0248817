namespace NzbDav.Usenet.Yenc;

/// <summary>What a <see cref="YencArticleDecoder"/> wants next.</summary>
internal enum ArticleFeed
{
    /// <summary>All bytes given are dealt with: give the next ones.</summary>
    NeedMore,

    /// <summary>The header is read: set a destination or discard, then give the rest of the bytes. Once per article at most.</summary>
    HeaderReady,

    /// <summary>The article's terminator is consumed; what follows belongs to the next reply.</summary>
    Complete,
}

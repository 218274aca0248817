using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Nntp;

/// <summary>Whom a connection tells what became of its requests. Called from the receive loop, outside locks; must not block.</summary>
internal interface INntpConnectionOwner
{
    /// <summary>A request ended; the connection has room for another.</summary>
    /// <param name="connection">Where it ran.</param>
    /// <param name="request">Which.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="reason">For a log or an error message; null when found.</param>
    void Ended(NntpConnection connection, ArticleRequest request, AttemptOutcome outcome, string? reason);

    /// <summary>An intact article that is not the expected part; the owner takes the caller's reference to the buffer.</summary>
    void EndedOdd(NntpConnection connection, ArticleRequest request, Content.PooledBuffer buffer, ArticleHeader header);
}

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Receives the outcome of each request on a connection. Called from the receive loop, outside locks; must not block. A call that
/// throws ends the connection, and the request's end is told once more.
/// </summary>
internal interface INntpConnectionOwner
{
    /// <summary>A request ended; the connection has room for another.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="request">The request.</param>
    /// <param name="outcome">How it ended.</param>
    /// <param name="reason">For a log or an error message; null when found.</param>
    void Ended(NntpConnection connection, NntpRequest request, AttemptOutcome outcome, string? reason);

    /// <summary>An intact article that is not the expected part; the owner takes the caller's reference to the buffer.</summary>
    void EndedOdd(NntpConnection connection, NntpRequest request, Content.PooledBuffer buffer, ArticleHeader header);
}

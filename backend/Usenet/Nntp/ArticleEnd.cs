using NzbDav.Content;

namespace NzbDav.Usenet.Nntp;

/// <summary>Result of receiving a body.</summary>
/// <param name="Outcome">Found, also for an odd article; superseded; or corrupt.</param>
/// <param name="Reason">For a log or an error message; null unless corrupt.</param>
/// <param name="Odd">An intact article that is not the expected part, with one reference owned by the receiver of this value; else null.</param>
/// <param name="Header">Its header; null when there is no <paramref name="Odd"/>.</param>
internal readonly record struct ArticleEnd(AttemptOutcome Outcome, string? Reason, PooledBuffer? Odd, ArticleHeader? Header);

using NzbDav.Content;
using NzbDav.Usenet.Articles;

namespace NzbDav.Usenet.Nntp;

/// <summary>What a body turned out to be.</summary>
/// <param name="Outcome">Found, also when it is an odd one; superseded; or corrupt.</param>
/// <param name="Reason">For a log or an error message; null unless corrupt.</param>
/// <param name="Odd">An intact article that is not the expected part, with one reference that is the receiver's of this; else null.</param>
/// <param name="Header">Its header; null when there is no <paramref name="Odd"/>.</param>
internal readonly record struct ArticleEnd(AttemptOutcome Outcome, string? Reason, PooledBuffer? Odd, ArticleHeader? Header);

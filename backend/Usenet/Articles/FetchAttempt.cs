using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Articles;

/// <summary>One attempt at an article that failed or took long. Times are clock readings; 0: it was never sent.</summary>
/// <param name="Provider">The provider's name.</param>
/// <param name="QueuedAt">When it began to wait for a connection.</param>
/// <param name="SentAt">When a connection sent it.</param>
/// <param name="EndedAt">When it ended.</param>
/// <param name="Outcome">How it ended.</param>
internal readonly record struct FetchAttempt(string Provider, long QueuedAt, long SentAt, long EndedAt, AttemptOutcome Outcome);

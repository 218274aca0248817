namespace NzbDav.Usenet.Articles;

/// <summary>One attempt at an article that failed or took long. Clock readings; 0: it was never sent.</summary>
/// <param name="Provider">What the provider is called.</param>
/// <param name="QueuedAt">When it began to wait for a connection.</param>
/// <param name="SentAt">When a connection sent it.</param>
/// <param name="EndedAt">When it ended.</param>
/// <param name="Outcome">How.</param>
internal readonly record struct FetchAttempt(string Provider, long QueuedAt, long SentAt, long EndedAt, AttemptOutcome Outcome);

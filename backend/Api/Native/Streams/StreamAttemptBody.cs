namespace NzbDav.Api.Native.Streams;

/// <summary>A provider was asked for an article.</summary>
/// <param name="Provider">Which; null: it is configured no more.</param>
/// <param name="Result">What came of it.</param>
/// <param name="QueuedSeconds">How long the article waited for a connection before.</param>
/// <param name="Seconds">From asking to the end.</param>
internal sealed record StreamAttemptBody(string? Provider, StreamArticleResult Result, double QueuedSeconds, double Seconds);

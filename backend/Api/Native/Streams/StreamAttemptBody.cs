namespace NzbDav.Api.Native.Streams;

/// <summary>A request for an article to one provider.</summary>
/// <param name="Provider">Name of the provider; null: it is no longer configured.</param>
/// <param name="Result">Its outcome.</param>
/// <param name="QueuedSeconds">How long the article waited for a connection before the request.</param>
/// <param name="Seconds">From the request to its end.</param>
internal sealed record StreamAttemptBody(string? Provider, StreamArticleResult Result, double QueuedSeconds, double Seconds);

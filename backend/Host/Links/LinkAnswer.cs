namespace NzbDav.Host.Links;

/// <summary>A link that was made.</summary>
/// <param name="Path">What stands behind scheme and host, URL base included.</param>
/// <param name="Expires">From then on it opens nothing.</param>
internal sealed record LinkAnswer(string Path, DateTimeOffset Expires);

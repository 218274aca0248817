namespace NzbDav.Host.Links;

/// <summary>A link that was made.</summary>
/// <param name="Path">What follows scheme and host, including the URL base.</param>
/// <param name="Expires">When it stops working.</param>
internal sealed record LinkAnswer(string Path, DateTimeOffset Expires);

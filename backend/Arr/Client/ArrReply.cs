namespace NzbDav.Arr.Client;

/// <summary>What one attempt gave.</summary>
/// <param name="Error">Null after a success.</param>
/// <param name="Body">The answer's bytes after a success.</param>
/// <param name="Transient">Whether the same call may be sent again, and could then work.</param>
/// <param name="RetryAfter">When the server wants to be asked again.</param>
internal sealed record ArrReply(ArrError? Error, byte[] Body, bool Transient = false, TimeSpan? RetryAfter = null);

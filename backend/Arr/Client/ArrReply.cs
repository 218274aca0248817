namespace NzbDav.Arr.Client;

/// <summary>The result of one attempt.</summary>
/// <param name="Error">Null on success.</param>
/// <param name="Body">The bytes of the answer on success.</param>
/// <param name="Transient">True if the call may safely be repeated and might then succeed.</param>
/// <param name="RetryAfter">Delay that the server asked for; null: none.</param>
internal sealed record ArrReply(ArrError? Error, byte[] Body, bool Transient = false, TimeSpan? RetryAfter = null);

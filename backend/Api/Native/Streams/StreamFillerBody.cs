namespace NzbDav.Api.Native.Streams;

/// <summary>Filler that a client was sent in place of bytes that no provider has: zeros, or null packets of a transport stream.</summary>
/// <param name="Bytes">Number of bytes, in all its requests.</param>
/// <param name="Article">The article of the file that the latest filler replaced, from 1.</param>
/// <param name="Reason">Why that article was not available.</param>
internal sealed record StreamFillerBody(long Bytes, int Article, string Reason);

namespace NzbDav.Api.Native.Streams;

/// <summary>What a client was sent in place of bytes that are gone everywhere: zeros, or null packets of a transport stream.</summary>
/// <param name="Bytes">Of all its requests.</param>
/// <param name="Article">Which article of the file the latest belonged to, from 1 on.</param>
/// <param name="Reason">Why that one could not be had.</param>
internal sealed record StreamFillerBody(long Bytes, int Article, string Reason);

namespace NzbDav.Api.Native.Providers;

/// <summary>What became of the articles that a provider was asked for in a time.</summary>
/// <param name="Found">Came as they were posted.</param>
/// <param name="Missing">It does not have them.</param>
/// <param name="Damaged">Came with a wrong checksum or size.</param>
/// <param name="TimedOut">Nothing came on the connection, which was closed therefore.</param>
/// <param name="Lost">Refused, or lost with a connection that ended otherwise.</param>
internal sealed record ProviderReliabilityBody(long Found, long Missing, long Damaged, long TimedOut, long Lost);

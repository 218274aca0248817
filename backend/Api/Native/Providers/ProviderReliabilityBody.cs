namespace NzbDav.Api.Native.Providers;

/// <summary>Outcomes of the articles requested from a provider over a period.</summary>
/// <param name="Found">Received intact.</param>
/// <param name="Missing">Not available at the provider.</param>
/// <param name="Damaged">Received with a wrong checksum or size.</param>
/// <param name="TimedOut">Nothing arrived on the connection, so it was closed.</param>
/// <param name="Lost">Refused, or lost with a connection that ended for another reason.</param>
internal sealed record ProviderReliabilityBody(long Found, long Missing, long Damaged, long TimedOut, long Lost);

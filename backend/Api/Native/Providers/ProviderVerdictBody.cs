namespace NzbDav.Api.Native.Providers;

/// <summary>The result of a provider's test.</summary>
/// <param name="Ok">No step found anything wrong.</param>
/// <param name="Steps">In order, up to the first step that failed.</param>
/// <param name="Connections">Connections that the account allows, including those that this server has open; null: not determined.</param>
/// <param name="RoundTripSeconds">Median time from a command to its answer; null: not determined.</param>
/// <param name="Rate">Bytes per second received from the network; null: not measured.</param>
internal sealed record ProviderVerdictBody(bool Ok, IReadOnlyList<ProviderStepBody> Steps, int? Connections, double? RoundTripSeconds, double? Rate);

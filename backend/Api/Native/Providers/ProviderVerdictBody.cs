namespace NzbDav.Api.Native.Providers;

/// <summary>What a provider's test found.</summary>
/// <param name="Ok">No step found anything wrong.</param>
/// <param name="Steps">In order; those after the first that failed are left out.</param>
/// <param name="Connections">Connections that the account grants, those that this server has open with it included; null: not found out.</param>
/// <param name="RoundTripSeconds">From a command to its answer, median; null: not found out.</param>
/// <param name="Rate">Bytes a second as they come over the line; null: not measured.</param>
internal sealed record ProviderVerdictBody(bool Ok, IReadOnlyList<ProviderStepBody> Steps, int? Connections, double? RoundTripSeconds, double? Rate);

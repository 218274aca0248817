namespace NzbDav.Api.Native.Providers;

/// <summary>Why an account was not tested.</summary>
/// <param name="Faults">Every fault in the values that were sent.</param>
internal sealed record ProviderTestFaultsBody(IReadOnlyList<ProviderTestFaultBody> Faults);

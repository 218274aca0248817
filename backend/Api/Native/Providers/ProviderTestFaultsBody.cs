namespace NzbDav.Api.Native.Providers;

/// <summary>Why an account was not tried.</summary>
/// <param name="Faults">All that is wrong with what was sent.</param>
internal sealed record ProviderTestFaultsBody(IReadOnlyList<ProviderTestFaultBody> Faults);

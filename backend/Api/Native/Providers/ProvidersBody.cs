namespace NzbDav.Api.Native.Providers;

/// <summary>All Usenet accounts.</summary>
/// <param name="Providers">In the order of the settings.</param>
internal sealed record ProvidersBody(IReadOnlyList<ProviderBody> Providers);

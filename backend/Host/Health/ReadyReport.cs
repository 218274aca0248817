using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Health;

/// <summary>Body of <c>/health/ready</c>.</summary>
/// <param name="Status"><c>ready</c> or <c>not ready</c>.</param>
/// <param name="Reason">What is in the way, in words; null when nothing is, and for strangers.</param>
/// <param name="Providers">The accounts as they are now; null for strangers.</param>
internal sealed record ReadyReport(string Status, string? Reason, ProviderStatus[]? Providers);

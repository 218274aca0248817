using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Health;

/// <summary>Body of <c>/health/ready</c>.</summary>
internal sealed record ReadyReport(string Status, string? Reason, ProviderStatus[] Providers);

using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Health;

/// <summary>Body of <c>/health/ready</c>.</summary>
/// <param name="Status"><c>ready</c>, <c>not ready</c>, or <c>draining</c> while the server stops.</param>
/// <param name="Reason">Why it is not ready, as text; null if it is ready, and for callers without rights.</param>
/// <param name="Providers">Current state of the accounts; null for callers without rights.</param>
internal sealed record ReadyReport(string Status, string? Reason, ProviderStatus[]? Providers);

namespace NzbDav.Host.Health;

/// <summary>Body of <c>/health</c>.</summary>
internal sealed record HealthReport(string Status);

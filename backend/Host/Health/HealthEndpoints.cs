using NzbDav.Usenet;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Health;

/// <summary><c>/health</c>: the process serves. <c>/health/ready</c>: which providers work, and why the others do not. Both open.</summary>
internal static class HealthEndpoints
{
    public static void MapHealth(this WebApplication app)
    {
        app.MapGet("/health", () => Results.Json(new HealthReport("ok"), HealthJson.Default.HealthReport));
        app.MapGet("/health/ready", (UsenetClient usenet) =>
        {
            var providers = usenet.Providers.Select(provider => provider.Status).ToArray();
            var ready = Array.Exists(providers, provider => provider.State == ProviderState.Ready);
            var reason = ready ? null : providers.Length == 0 ? "No Usenet provider is configured." : "No Usenet provider works yet.";
            return Results.Json(
                new ReadyReport(ready ? "ready" : "not ready", reason, providers),
                HealthJson.Default.ReadyReport,
                statusCode: ready ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable);
        });
    }
}

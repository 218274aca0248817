namespace NzbDav.Host.Health;

/// <summary><c>/health</c>: the process serves. <c>/health/ready</c>: it can do its work, or why not. Both open.</summary>
internal static class HealthEndpoints
{
    /// <summary>Probes such as <c>wget --spider</c> ask by HEAD.</summary>
    private static readonly string[] Methods = ["GET", "HEAD"];

    public static void MapHealth(this WebApplication app)
    {
        app.MapMethods("/health", Methods, () => Results.Json(new HealthReport("ok"), HealthJson.Default.HealthReport));
        app.MapMethods("/health/ready", Methods, async (Readiness readiness, CancellationToken cancellationToken) =>
        {
            var report = await readiness.ReportAsync(cancellationToken);
            return Results.Json(
                report, HealthJson.Default.ReadyReport, statusCode: report.Reason is null ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable);
        });
    }

    public static void AddHealth(this IServiceCollection services) => services.AddSingleton<CatalogHealth>().AddSingleton<Readiness>();
}

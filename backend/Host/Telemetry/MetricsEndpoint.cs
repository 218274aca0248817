using NzbDav.Access.Attempts;
using NzbDav.Access.Keys;
using NzbDav.Content.Secrets;

namespace NzbDav.Host.Telemetry;

/// <summary><c>/metrics</c> for Prometheus: with an API key that may read, from wherever the request comes.</summary>
internal static class MetricsEndpoint
{
    public static void MapMetrics(this WebApplication app)
    {
        var keys = app.Services.GetRequiredService<KeyGate>();
        var collector = app.Services.GetRequiredService<MetricCollector>();
        var gauges = app.Services.GetRequiredService<CatalogGauges>();
        app.MapMethods("/metrics", ["GET", "HEAD"], async (HttpContext http) =>
        {
            if (await RefuseAsync(http, keys) is { } refusal)
                return refusal;
            await gauges.RefreshAsync(http.RequestAborted);
            return Results.Text(PrometheusText.Write(collector.Collect()), PrometheusText.ContentType);
        });
    }

    /// <returns>Null if the caller may read.</returns>
    private static async ValueTask<IResult?> RefuseAsync(HttpContext http, KeyGate keys)
    {
        if (KeyGate.InHeaders(http.Request) is { Length: > 0 } key)
        {
            var (outcome, rights) = await keys.TryAsync(http, key);
            if (rights.HasFlag(ApiRights.Read))
                return null;
            if (outcome == SecretVerdict.Throttled)
            {
                AttemptGate.SetRetryAfter(http.Response);
                return Results.Text(AttemptGate.TooMany + "\n", statusCode: StatusCodes.Status429TooManyRequests);
            }
        }

        const string Ask = "Send an API key that may read (NzbDav__Api__ReadKey or NzbDav__Api__Key): Authorization: Bearer KEY.\n";
        return Results.Text(Ask, statusCode: StatusCodes.Status401Unauthorized);
    }
}

/// <summary>Registers metrics and traces.</summary>
internal static class TelemetrySetup
{
    public static void AddTelemetry(this IServiceCollection services)
    {
        services.AddMetrics();
        services.AddSingleton<MetricCollector>();
        services.AddSingleton<CatalogGauges>();
        services.AddSingleton<StreamTraces>();
    }
}

using NzbDav.Access;

namespace NzbDav.Host.Telemetry;

/// <summary><c>/metrics</c> for Prometheus: open on loopback, elsewhere with the API key as bearer token.</summary>
internal static class MetricsEndpoint
{
    public static void MapMetrics(this WebApplication app)
    {
        var keys = app.Services.GetRequiredService<ApiKeys>();
        var collector = app.Services.GetRequiredService<MetricCollector>();
        var gauges = app.Services.GetRequiredService<CatalogGauges>();
        app.MapGet("/metrics", async (HttpContext http) =>
        {
            if (!MayRead(http, keys))
                return Refusal();
            await gauges.RefreshAsync(http.RequestAborted);
            return Results.Text(PrometheusText.Write(collector.Collect()), PrometheusText.ContentType);
        });

        static IResult Refusal() => Results.Text("Metrics are open on loopback; from elsewhere send the API key: Authorization: Bearer KEY, with NzbDav__Api__Key or NzbDav__Api__ReadKey.\n", statusCode: StatusCodes.Status401Unauthorized);
    }

    private static bool MayRead(HttpContext http, ApiKeys keys)
    {
        if (ClientOrigin.IsLoopback(http))
            return true;
        const string Scheme = "Bearer ";
        var header = http.Request.Headers.Authorization.ToString();
        return header.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase) && keys.RightsOf(header[Scheme.Length..]).HasFlag(ApiRights.Read);
    }
}

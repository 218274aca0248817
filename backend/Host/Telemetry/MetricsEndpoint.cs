using NzbDav.Access.Attempts;
using NzbDav.Access.Keys;
using NzbDav.Access.Proxies;

namespace NzbDav.Host.Telemetry;

/// <summary><c>/metrics</c> for Prometheus: open on loopback, elsewhere with an API key.</summary>
internal static class MetricsEndpoint
{
    public static void MapMetrics(this WebApplication app)
    {
        var keys = app.Services.GetRequiredService<KeyGate>();
        var collector = app.Services.GetRequiredService<MetricCollector>();
        var gauges = app.Services.GetRequiredService<CatalogGauges>();
        app.MapMethods("/metrics", ["GET", "HEAD"], async (HttpContext http) =>
        {
            if (!ClientOrigin.IsLoopback(http) && await RefuseAsync(http, keys) is { } refusal)
                return refusal;
            await gauges.RefreshAsync(http.RequestAborted);
            return Results.Text(PrometheusText.Write(collector.Collect()), PrometheusText.ContentType);
        });
    }

    /// <returns>Null if the caller may read.</returns>
    private static async ValueTask<IResult?> RefuseAsync(HttpContext http, KeyGate keys)
    {
        if (KeyGate.Presented(http.Request) is { Length: > 0 } key)
        {
            var (outcome, rights) = await keys.TryAsync(http.Connection.RemoteIpAddress, key);
            if (rights.HasFlag(ApiRights.Read))
                return null;
            if (outcome == AttemptOutcome.Throttled)
            {
                keys.SetRetryAfter(http.Response);
                return Results.Text(AttemptGate.TooMany + "\n", statusCode: StatusCodes.Status429TooManyRequests);
            }
        }

        return Results.Text("Metrics are open on loopback; from elsewhere send the API key: Authorization: Bearer KEY, with NzbDav__Api__Key or NzbDav__Api__ReadKey.\n", statusCode: StatusCodes.Status401Unauthorized);
    }
}

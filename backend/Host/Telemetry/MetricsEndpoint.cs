using System.Net;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Telemetry;

/// <summary><c>/metrics</c> for Prometheus: open on loopback, elsewhere with the API key as bearer token.</summary>
internal static class MetricsEndpoint
{
    public static void MapMetrics(this WebApplication app, NzbDavSettings settings)
    {
        var collector = app.Services.GetRequiredService<MetricCollector>();
        app.MapGet("/metrics", (HttpContext http) => MayRead(http, settings.ApiKey)
            ? Results.Text(PrometheusText.Write(collector.Collect()), PrometheusText.ContentType)
            : Results.Text("Metrics are open on loopback; from elsewhere send the API key: Authorization: Bearer <NzbDav__Api__Key>.\n", statusCode: StatusCodes.Status401Unauthorized));
    }

    private static bool MayRead(HttpContext http, string? key)
    {
        if (http.Connection.RemoteIpAddress is { } address && IPAddress.IsLoopback(address.IsIPv4MappedToIPv6 ? address.MapToIPv4() : address))
            return true;
        return key is not null && CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(http.Request.Headers.Authorization.ToString()), Encoding.UTF8.GetBytes($"Bearer {key}"));
    }
}

using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Access.Keys;
using NzbDav.Access.Rules;

namespace NzbDav.Host.Health;

/// <summary>
/// <c>/health</c>: the process answers. <c>/health/ready</c>: it can do its work. Both are open; the reason why it is not ready is only
/// given to keys that may read and, where the user has named the host or ruled out a proxy, to this machine.
/// </summary>
internal static class HealthEndpoints
{
    /// <summary>Probes such as <c>wget --spider</c> use HEAD.</summary>
    private static readonly string[] Methods = ["GET", "HEAD"];

    public static void MapHealth(this WebApplication app)
    {
        app.MapMethods("/health", Methods, () => Results.Json(new HealthReport("ok"), HealthJson.Default.HealthReport));
        app.MapMethods("/health/ready", Methods, async (HttpContext http, Readiness readiness, KeyGate keys, NetworkTrust networks) =>
        {
            var report = await readiness.ReportAsync(http.RequestAborted);
            var told = await MayReadAsync(http, keys, networks) ? report : new ReadyReport(report.Status, null, null);
            return Results.Json(
                told, HealthJson.Default.ReadyReport, statusCode: report.Reason is null
                    ? StatusCodes.Status200OK : StatusCodes.Status503ServiceUnavailable);
        });
    }

    /// <summary>Accepts only keys: sessions and users are in the catalog, which may be what is broken.</summary>
    private static async ValueTask<bool> MayReadAsync(HttpContext http, KeyGate keys, NetworkTrust networks) =>
        networks.IsThisMachine(http)
        || (KeyGate.InHeaders(http.Request) is { Length: > 0 } key && (await keys.TryAsync(http, key)).Rights.HasFlag(ApiRights.Read));

    public static void AddHealth(this IServiceCollection services) => services.AddSingleton<CatalogHealth>().AddSingleton<Readiness>();
}

/// <summary>Body of <c>/health</c>.</summary>
internal sealed record HealthReport(string Status);

[JsonSourceGenerationOptions(
    JsonSerializerDefaults.Web, UseStringEnumConverter = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(HealthReport))]
[JsonSerializable(typeof(ReadyReport))]
internal sealed partial class HealthJson : JsonSerializerContext;

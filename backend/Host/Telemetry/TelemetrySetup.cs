namespace NzbDav.Host.Telemetry;

/// <summary>Puts together what watches the server.</summary>
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

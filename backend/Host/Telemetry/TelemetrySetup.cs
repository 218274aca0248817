namespace NzbDav.Host.Telemetry;

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

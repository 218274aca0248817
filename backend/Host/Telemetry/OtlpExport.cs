using NzbDav.Host.Settings;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace NzbDav.Host.Telemetry;

/// <summary>
/// Sends metrics (once a minute, and at the end) and the spans of reads to a collector. Nothing of OpenTelemetry is loaded unless this is asked for.
/// </summary>
internal sealed class OtlpExport : BackgroundService
{
    /// <summary>The collector gets what was counted in the minute; sizes of the queue are counted shortly before.</summary>
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(30);

    private readonly MeterProvider _metrics;
    private readonly TracerProvider _traces;
    private readonly CatalogGauges _gauges;
    private readonly TimeProvider _time;

    public OtlpExport(OtlpSettings settings, CatalogGauges gauges, TimeProvider time)
    {
        _gauges = gauges;
        _time = time;
        var resource = ResourceBuilder.CreateDefault().AddService("nzbdav", serviceVersion: typeof(OtlpExport).Assembly.GetName().Version?.ToString(3));
        _metrics = Sdk.CreateMeterProviderBuilder()
            .SetResourceBuilder(resource)
            .AddMeter("NzbDav.*", "System.Runtime", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Server.Kestrel")
            .AddOtlpExporter(options => Apply(options, settings, "/v1/metrics"))
            .Build();
        _traces = Sdk.CreateTracerProviderBuilder()
            .SetResourceBuilder(resource)
            // Whatever ASP.NET Core decided for the request around it.
            .SetSampler(new AlwaysOnSampler())
            // Not those of ASP.NET Core: their attributes hold paths, and with them names of files.
            .AddSource("NzbDav.*")
            .AddOtlpExporter(options => Apply(options, settings, "/v1/traces"))
            .Build();
    }

    public static void AddTo(IServiceCollection services, OtlpSettings settings)
    {
        services.AddSingleton(settings);
        services.AddHostedService<OtlpExport>();
    }

    public override void Dispose()
    {
        // Sends what is left; bounded by the exporter's time limit.
        _metrics.Dispose();
        _traces.Dispose();
        base.Dispose();
    }

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Every, _time);
        try
        {
            do
                await _gauges.RefreshAsync(stoppingToken);
            while (await timer.WaitForNextTickAsync(stoppingToken));
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
    }

    private static void Apply(OtlpExporterOptions options, OtlpSettings settings, string path)
    {
        options.Protocol = settings.Grpc ? OtlpExportProtocol.Grpc : OtlpExportProtocol.HttpProtobuf;
        options.Endpoint = settings.Grpc ? settings.Endpoint : new Uri(settings.Endpoint.AbsoluteUri.TrimEnd('/') + path);
        options.Headers = settings.Headers;

        // A collector that does not answer must not hold up the end of the server.
        options.TimeoutMilliseconds = 2_000;
    }
}

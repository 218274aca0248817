using NzbDav.Host.Settings;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Metrics;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;

namespace NzbDav.Host.Telemetry;

/// <summary>Sends metrics (once a minute, and at the end) and the spans of reads to one collector, from its construction on. The only type
/// that uses OpenTelemetry.</summary>
internal sealed class OtlpExport : IDisposable
{
    private readonly MeterProvider _metrics;
    private readonly TracerProvider _traces;

    public OtlpExport(OtlpSettings settings)
    {
        var resource = ResourceBuilder.CreateDefault()
            .AddService("nzbdav", serviceVersion: typeof(OtlpExport).Assembly.GetName().Version?.ToString(3));
        _metrics = Sdk.CreateMeterProviderBuilder()
            .SetResourceBuilder(resource)
            .AddMeter("NzbDav.*", "System.Runtime", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Server.Kestrel")
            .AddOtlpExporter(options => Apply(options, settings, "/v1/metrics"))
            .Build();
        _traces = Sdk.CreateTracerProviderBuilder()
            .SetResourceBuilder(resource)
            // Regardless of ASP.NET Core's sampling decision for the enclosing request.
            .SetSampler(new AlwaysOnSampler())
            // Not the spans of ASP.NET Core: their attributes contain paths, and so the names of files.
            .AddSource("NzbDav.*")
            .AddOtlpExporter(options => Apply(options, settings, "/v1/traces"))
            .Build();
    }

    /// <summary>Sends the rest: blocks, but no longer than the exporter's time limit.</summary>
    public void Dispose()
    {
        _metrics.Dispose();
        _traces.Dispose();
    }

    private static void Apply(OtlpExporterOptions options, OtlpSettings settings, string path)
    {
        options.Protocol = settings.Grpc ? OtlpExportProtocol.Grpc : OtlpExportProtocol.HttpProtobuf;
        options.Endpoint = settings.Grpc ? settings.Endpoint : new Uri(settings.Endpoint.AbsoluteUri.TrimEnd('/') + path);
        options.Headers = settings.Headers;

        // A collector that does not answer must not delay the server's stop.
        options.TimeoutMilliseconds = 2_000;
    }
}

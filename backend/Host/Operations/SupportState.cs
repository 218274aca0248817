using System.Text;
using System.Text.Json;
using NzbDav.Host.Health;
using NzbDav.Host.Telemetry;
using NzbDav.Library.Recordings;

namespace NzbDav.Host.Operations;

/// <summary>The part of a support bundle that only a running server can write: health, metrics and streams.</summary>
internal sealed class SupportState(Readiness readiness, MetricCollector metrics, CatalogGauges gauges, StreamTraces traces, Recordings recordings)
{
    /// <summary>Files of the bundle by name.</summary>
    public async Task<IReadOnlyList<(string Name, string Text)>> DescribeAsync(bool names, CancellationToken cancellationToken)
    {
        await gauges.RefreshAsync(cancellationToken);
        using var recording = new MemoryStream();
        await recordings.WriteAsync(recording, stream: null, cancellationToken);
        return
        [
            ("health.json", JsonSerializer.Serialize(await readiness.ReportAsync(cancellationToken), SupportJson.Default.ReadyReport)),
            ("metrics.txt", PrometheusText.Write(metrics.Collect())),
            ("streams.json", JsonSerializer.Serialize(traces.List(names), SupportJson.Default.StreamTraceArray)),
            ("recording.jsonl", Encoding.UTF8.GetString(recording.GetBuffer(), 0, (int)recording.Length)),
        ];
    }
}

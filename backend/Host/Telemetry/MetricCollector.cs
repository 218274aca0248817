using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Numerics;
using System.Text;

namespace NzbDav.Host.Telemetry;

/// <summary>Listens to the product's meters and to the runtime's, and keeps their sums. Thread-safe.</summary>
internal sealed class MetricCollector : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly ConcurrentDictionary<(Instrument, string), MetricSeries> _series = new();

    public MetricCollector()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Meter.Name is "System.Runtime" || instrument.Meter.Name.StartsWith("NzbDav.", StringComparison.Ordinal))
                listener.EnableMeasurementEvents(instrument);
        };
        Listen<int>();
        Listen<long>();
        Listen<double>();
        _listener.Start();
    }

    /// <summary>All series, the observed ones as they are now, in order of name and labels.</summary>
    public IReadOnlyList<MetricSeries> Collect()
    {
        _listener.RecordObservableInstruments();
        return [.. _series.Values.OrderBy(series => series.Instrument.Name, StringComparer.Ordinal).ThenBy(series => series.Labels, StringComparer.Ordinal)];
    }

    public void Dispose() => _listener.Dispose();

    private void Listen<T>()
        where T : struct, INumber<T> =>
        _listener.SetMeasurementEventCallback<T>((instrument, measurement, tags, _) =>
        {
            var series = Find(instrument, tags);
            if (instrument.IsObservable || instrument is Gauge<T>)
                series.Set(double.CreateChecked(measurement));
            else
                series.Add(double.CreateChecked(measurement));
        });

    private MetricSeries Find(Instrument instrument, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var labels = tags.IsEmpty ? "" : LabelsOf(tags);
        return _series.TryGetValue((instrument, labels), out var known)
            ? known
            : _series.GetOrAdd((instrument, labels), static key => new MetricSeries(key.Item1, key.Item2));
    }

    private static string LabelsOf(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        // Per article some hundred bytes of garbage: nothing beside its 700 KB.
        var text = new StringBuilder();
        foreach (var (name, value) in tags)
        {
            if (text.Length > 0)
                text.Append(',');
            text.Append(PrometheusText.NameOf(name)).Append("=\"").Append(PrometheusText.Escape(value?.ToString() ?? "")).Append('"');
        }

        return text.ToString();
    }
}

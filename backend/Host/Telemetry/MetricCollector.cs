using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using System.Numerics;
using System.Text;

namespace NzbDav.Host.Telemetry;

/// <summary>
/// Listens to the meters of this server, of ASP.NET Core and of the runtime, and keeps their sums. Other servers in the same process have a
/// meter factory of their own, and are not included. Thread-safe.
/// </summary>
internal sealed class MetricCollector : IDisposable
{
    /// <summary>Most sets of labels per metric; further ones are counted together. No label depends on client input, so this is only a
    /// second safeguard.</summary>
    private const int MostSeries = 256;

    private const string Overflow = "overflow=\"true\"";

    private readonly MeterListener _listener = new();
    private readonly ConcurrentDictionary<(string, string), MetricSeries> _series = new();
    private readonly ConcurrentDictionary<string, int> _counts = new(StringComparer.Ordinal);
    private readonly Lock _collecting = new();
    private long _round;

    /// <param name="meters">The factory of the meters to listen to.</param>
    public MetricCollector(IMeterFactory meters)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (IsOurs(instrument.Meter, meters))
                listener.EnableMeasurementEvents(instrument);
        };
        Listen<int>();
        Listen<long>();
        Listen<double>();
        _listener.Start();
    }

    /// <summary>
    /// All series, ordered by name and labels. Observable instruments are read now; those no longer observed are left out.
    /// </summary>
    public IReadOnlyList<MetricSeries> Collect()
    {
        lock (_collecting)
        {
            _round++;
            _listener.RecordObservableInstruments();
            return
            [
                .. _series.Values.Where(series => !series.Instrument.IsObservable || series.Round == _round)
                    .OrderBy(series => series.Name, StringComparer.Ordinal).ThenBy(series => series.Labels, StringComparer.Ordinal),
            ];
        }
    }

    public void Dispose() => _listener.Dispose();

    private static bool IsOurs(Meter meter, IMeterFactory meters) =>
        meter.Name is "System.Runtime" || (ReferenceEquals(meter.Scope, meters) && (meter.Name is "Microsoft.AspNetCore.Hosting"
            or "Microsoft.AspNetCore.Server.Kestrel" || meter.Name.StartsWith("NzbDav.", StringComparison.Ordinal)));

    private void Listen<T>()
        where T : struct, INumber<T> =>
        _listener.SetMeasurementEventCallback<T>((instrument, measurement, tags, _) =>
        {
            var series = Find(instrument, tags);
            if (instrument.IsObservable)
                series.Observe(double.CreateChecked(measurement), _round);
            else if (instrument is Gauge<T>)
                series.Set(double.CreateChecked(measurement));
            else
                series.Add(double.CreateChecked(measurement));
        });

    private MetricSeries Find(Instrument instrument, ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        var labels = tags.IsEmpty ? "" : LabelsOf(tags);
        var name = PrometheusText.FullNameOf(instrument);
        if (_series.TryGetValue((name, labels), out var known))
            return known;
        if (_counts.AddOrUpdate(name, 1, static (_, count) => count + 1) > MostSeries)
            labels = Overflow;
        return _series.GetOrAdd((name, labels), static (key, source) => new MetricSeries(source, key.Item1, key.Item2), instrument);
    }

    private static string LabelsOf(ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        // A few hundred bytes of garbage per article: negligible beside its 700 KB.
        var text = new StringBuilder();
        foreach (var (name, value) in tags)
        {
            if (text.Length > 0)
                text.Append(',');
            text.Append(PrometheusText.NameOf(name)).Append("=\"")
                .Append(PrometheusText.Escape(value is bool flag ? flag ? "true" : "false" : value?.ToString() ?? "")).Append('"');
        }

        return text.ToString();
    }
}

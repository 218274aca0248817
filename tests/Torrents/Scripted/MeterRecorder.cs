using System.Collections.Concurrent;
using System.Diagnostics.Metrics;
using NzbDav.Torrents.Telemetry;

namespace NzbDav.Torrents.Tests.Scripted;

/// <summary>Records all measurements of one engine's meter, by instrument. Thread-safe.</summary>
internal sealed class MeterRecorder : IDisposable
{
    private const string Prefix = "nzbdav.torrents.";

    private readonly ConcurrentDictionary<string, ConcurrentQueue<double>> _values = new(StringComparer.Ordinal);
    private readonly MeterListener _listener = new();
    private readonly Meter _meter = new(TorrentMetrics.Name);

    public MeterRecorder()
    {
        Metrics = new TorrentMetrics(_meter);
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter == Metrics.Meter)
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<double>((instrument, value, _, _) => Add(instrument, value));
        _listener.SetMeasurementEventCallback<long>((instrument, value, _, _) => Add(instrument, value));
        _listener.SetMeasurementEventCallback<int>((instrument, value, _, _) => Add(instrument, value));
        _listener.Start();
    }

    public TorrentMetrics Metrics { get; }

    /// <summary>What an instrument recorded, in order.</summary>
    public double[] this[string name] => _values.TryGetValue(Prefix + name, out var values) ? [.. values] : [];

    /// <summary>The current value of an observable instrument.</summary>
    public double Look(string name)
    {
        _values.TryRemove(Prefix + name, out _);
        _listener.RecordObservableInstruments();
        return Assert.Single(this[name]);
    }

    public void Dispose()
    {
        _listener.Dispose();
        _meter.Dispose();
    }

    private void Add(Instrument instrument, double value) =>
        _values.GetOrAdd(instrument.Name, static _ => new ConcurrentQueue<double>()).Enqueue(value);
}

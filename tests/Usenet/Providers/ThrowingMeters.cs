using System.Diagnostics.Metrics;

namespace NzbDav.Usenet.Tests.Providers;

/// <summary>
/// Meters whose listener throws at one instrument's next measurements: stands for a fault of the program in the middle of its work.
/// </summary>
internal sealed class ThrowingMeters : IMeterFactory
{
    private readonly List<Meter> _meters = [];
    private readonly MeterListener _listener = new();
    private int _thrown;

    /// <param name="instrument">Its name.</param>
    /// <param name="times">How often.</param>
    public ThrowingMeters(string instrument, int times)
    {
        _listener.InstrumentPublished = (published, listener) =>
        {
            if (_meters.Contains(published.Meter) && published.Name == instrument)
                listener.EnableMeasurementEvents(published);
        };
        _listener.SetMeasurementEventCallback<double>((_, _, _, _) => Throw());
        _listener.SetMeasurementEventCallback<long>((_, _, _, _) => Throw());
        _listener.SetMeasurementEventCallback<int>((_, _, _, _) => Throw());
        _listener.Start();

        void Throw()
        {
            if (Volatile.Read(ref _thrown) >= times)
                return;
            Interlocked.Increment(ref _thrown);
            throw new InvalidCastException("planted");
        }
    }

    /// <summary>How often it threw.</summary>
    public int Thrown => Volatile.Read(ref _thrown);

    public Meter Create(MeterOptions options)
    {
        var meter = new Meter(options.Name);
        _meters.Add(meter);
        return meter;
    }

    public void Dispose()
    {
        _listener.Dispose();
        foreach (var meter in _meters)
            meter.Dispose();
    }
}

using NzbDav.Api.Native.Providers;
using NzbDav.Torrents;
using NzbDav.Torrents.Sessions;
using NzbDav.Usenet;
using NzbDav.WebDav.Streams;

namespace NzbDav.Host.Status;

/// <summary>
/// Samples the counters once a second and keeps the last hour by second and the last day by minute, in memory: 20 KB per line, 260 KB with
/// eight providers. A sample allocates nothing. Thread-safe.
/// </summary>
internal sealed class SeriesRecorder : IHostedService, IDisposable
{
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(1);

    private readonly Lock _gate = new();
    private readonly TimeProvider _time;
    private readonly TorrentEngine? _torrents;
    private readonly ActiveStreams _streams;
    private readonly ProviderLines _providers;
    private readonly ProcessUsage _process = new();
    private readonly SeriesLine[] _own;
    private readonly long _startedAt;
    private ITimer? _timer;
    private bool _isDisposed;
    private long _sampledAt;
    private long _second = -1;
    private (long Down, long Up) _payload;
    private LineSnapshot _now = new(0, 0, 0, 0, 0, 0);

    public SeriesRecorder(
        UsenetClient usenet, IProviderNumbers numbers, ActiveStreams streams, TimeProvider time, IServiceProvider services)
    {
        _time = time;
        _streams = streams;
        _torrents = services.GetService<TorrentSessions>()?.Engine;
        _providers = new ProviderLines(usenet, numbers);
        _own =
        [
            Line("torrents.down", SeriesUnit.BytesPerSecond), Line("torrents.up", SeriesUnit.BytesPerSecond),
            Line("streams", SeriesUnit.Count),
            Line("memory", SeriesUnit.Bytes), Line("cpu", SeriesUnit.Share),
        ];
        _startedAt = _sampledAt = time.GetTimestamp();

        static SeriesLine Line(string name, SeriesUnit unit) => new(name, null, unit, new SeriesRing(0));
    }

    /// <summary>Raised when traffic starts after there was none. On the timer's thread; handlers must return quickly.</summary>
    public event Action? Moved;

    /// <summary>Measurements of the last second.</summary>
    public LineSnapshot Now
    {
        get
        {
            lock (_gate)
                return _now;
        }
    }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _timer = _time.CreateTimer(static state => ((SeriesRecorder)state!).Sample(), this, Every, Every);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        _timer?.Dispose();
        return Task.CompletedTask;
    }

    /// <summary>All lines over a span.</summary>
    public SeriesBody Read(SeriesSpan span)
    {
        var (step, most) = span == SeriesSpan.Hour ? (1, SeriesRing.Seconds) : (60, SeriesRing.Minutes);
        lock (_gate)
        {
            var end = (_second + 1) / step;
            var first = Math.Max(0, end - most);
            var start = _time.GetUtcNow() - _time.GetElapsedTime(_startedAt) + TimeSpan.FromSeconds(first * step);
            return new SeriesBody(
                start, step, [.. _providers.List().Concat(_own).Select(line => Of(line, span, first, (int)(end - first)))]);
        }
    }

    public void Dispose()
    {
        _timer?.Dispose();

        // The timer may fire once more: a sample that has begun ends first, and one that begins later does nothing.
        lock (_gate)
        {
            _isDisposed = true;
            _process.Dispose();
        }
    }

    /// <summary>Takes one sample. Called by the timer.</summary>
    internal void Sample()
    {
        bool moved;
        lock (_gate)
        {
            if (_isDisposed)
                return;
            var now = _time.GetTimestamp();
            var passed = _time.GetElapsedTime(_sampledAt, now);

            // The second that has just ended: the timer fires at its end or slightly later.
            var second = (long)Math.Round(_time.GetElapsedTime(_startedAt, now).TotalSeconds) - 1;
            if (second <= _second || passed <= TimeSpan.Zero)
                return;
            (_sampledAt, _second) = (now, second);
            _providers.Add(second, passed.TotalSeconds);
            var payload = _torrents?.Payload ?? default;
            var down = (payload.Down - _payload.Down) / passed.TotalSeconds;
            var up = (payload.Up - _payload.Up) / passed.TotalSeconds;
            _payload = payload;
            var before = _now;
            _now = new LineSnapshot(_providers.Rate, down, up, _streams.Count, _process.ReadMemory(), _process.SampleProcessorUse(passed));
            _own[0].Ring.Add(second, down);
            _own[1].Ring.Add(second, up);
            _own[2].Ring.Add(second, _now.Streams);
            _own[3].Ring.Add(second, _now.Memory);
            _own[4].Ring.Add(second, _now.ProcessorShare);
            moved = _now.IsMoving && !before.IsMoving;
        }

        if (moved)
            Moved?.Invoke();
    }

    private static SeriesLineBody Of(SeriesLine line, SeriesSpan span, long first, int count)
    {
        var values = new double?[count];
        line.Ring.Read(span, first, values);

        // A float has seven digits: more would only lengthen the answer.
        var digits = line.Unit == SeriesUnit.Share ? 4 : line.Unit == SeriesUnit.Count ? 2 : 0;
        for (var i = 0; i < count; i++)
            values[i] = values[i] is { } value ? Math.Round(value, digits) : null;
        return new SeriesLineBody(line.Name, line.Label ?? line.Name, line.Unit, values);
    }
}

/// <summary>Quantities over time, all at the same times.</summary>
/// <param name="Start">Time of the first value: the start of the span, or of the server if that was later.</param>
/// <param name="StepSeconds">Seconds between values.</param>
/// <param name="Lines">The quantities, all with the same number of values.</param>
internal sealed record SeriesBody(DateTimeOffset Start, int StepSeconds, IReadOnlyList<SeriesLineBody> Lines);

/// <summary>A quantity over time.</summary>
/// <param name="Name">provider.NUMBER, torrents.down, torrents.up, streams, memory or cpu.</param>
/// <param name="Label">The provider's name; for other lines, the same as the name.</param>
/// <param name="Unit">The unit of the values.</param>
/// <param name="Values">Oldest first; null where nothing was measured.</param>
internal sealed record SeriesLineBody(string Name, string Label, SeriesUnit Unit, IReadOnlyList<double?> Values);

/// <summary>The time that a series covers.</summary>
internal enum SeriesSpan
{
    /// <summary>The last hour by second.</summary>
    Hour,

    /// <summary>The last day by minute.</summary>
    Day,
}

/// <summary>Measurements of the last second.</summary>
/// <param name="Rate">Bytes per second from all providers.</param>
/// <param name="TorrentRate">Bytes per second from peers.</param>
/// <param name="UploadRate">Bytes per second to peers.</param>
/// <param name="Streams">Number of active streams.</param>
/// <param name="Memory">Memory of the process in bytes.</param>
/// <param name="ProcessorShare">Share of all processors' time, 0 … 1.</param>
internal readonly record struct LineSnapshot(
    double Rate, double TorrentRate, double UploadRate, int Streams, long Memory, double ProcessorShare)
{
    /// <summary>True if anything is read or fetched.</summary>
    public bool IsMoving => Rate > 0 || TorrentRate > 0 || UploadRate > 0 || Streams > 0;
}

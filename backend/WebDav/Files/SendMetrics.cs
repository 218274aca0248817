using System.Diagnostics.Metrics;
using NzbDav.Content;

namespace NzbDav.WebDav.Files;

/// <summary>Measurements of sending: meter <c>NzbDav.WebDav</c>. Writes are timed only while somebody listens. Thread-safe.</summary>
internal sealed class SendMetrics
{
    private readonly TimeProvider _time;
    private readonly Histogram<double> _write;
    private readonly Histogram<double> _firstByte;
    private readonly Counter<long> _bytes;
    private readonly UpDownCounter<long> _streams;

    /// <param name="meters">Creates the meter; null when nobody listens.</param>
    /// <param name="time">Clock for durations.</param>
    public SendMetrics(IMeterFactory? meters, TimeProvider time)
    {
        _time = time;
        var meter = Meters.Create(meters, "NzbDav.WebDav");
        _write = meter.CreateHistogram<double>(
            "nzbdav.webdav.socket_write", "s", "Time to hand a lease to the connection, including waits for a slow client.");
        _firstByte = meter.CreateHistogram<double>(
            "nzbdav.webdav.first_byte", "s", "Time from a GET until its first bytes were available.");
        _bytes = meter.CreateCounter<long>("nzbdav.webdav.bytes", "By", "Bytes of files served.");
        _streams = meter.CreateUpDownCounter<long>(
            "nzbdav.webdav.streams", "{stream}", "Responses with a file's bytes that are under way.");
    }

    public bool TimesWrites => _write.Enabled;

    public long Now() => _time.GetTimestamp();

    public void Written(long began, int bytes)
    {
        if (began != 0)
            _write.Record(_time.GetElapsedTime(began).TotalSeconds);
        _bytes.Add(bytes);
    }

    public void Opened() => _streams.Add(1);

    public void Closed() => _streams.Add(-1);

    public void FirstByte(long began) => _firstByte.Record(_time.GetElapsedTime(began).TotalSeconds);
}

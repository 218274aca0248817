using System.Collections.Concurrent;
using System.Diagnostics;

namespace NzbDav.Host.Telemetry;

/// <summary>Keeps the latest reads of files, and those in progress. Thread-safe.</summary>
internal sealed class StreamTraces : IDisposable
{
    private const string SourceName = "NzbDav.WebDav";

    /// <summary>Number of reads kept, about an evening of playback; 1 KB each.</summary>
    private const int Kept = 256;

    private readonly ConcurrentDictionary<Activity, bool> _open = new();
    private readonly ConcurrentQueue<Activity> _ended = new();
    private readonly ActivityListener _listener;

    public StreamTraces()
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == SourceName,
            Sample = static (ref _) => ActivitySamplingResult.AllData,
            ActivityStarted = activity => _open[activity] = true,
            ActivityStopped = activity =>
            {
                _open.TryRemove(activity, out _);
                _ended.Enqueue(activity);
                if (_ended.Count > Kept)
                    _ended.TryDequeue(out _);
            },
        };
        ActivitySource.AddActivityListener(_listener);
    }

    /// <summary>Oldest first; those in progress last.</summary>
    /// <param name="names">True to include the files' names.</param>
    public StreamTrace[] List(bool names) =>
    [
        .. _ended.Select(activity => Of(activity, names) with { Seconds = activity.Duration.TotalSeconds }),
        .. _open.Keys.OrderBy(activity => activity.StartTimeUtc).Select(activity => Of(activity, names)),
    ];

    public void Dispose() => _listener.Dispose();

    private static StreamTrace Of(Activity activity, bool names) => new()
    {
        Begun = new DateTimeOffset(activity.StartTimeUtc),
        Start = Number(activity, "nzbdav.start"),
        Length = Number(activity, "nzbdav.length"),
        Parts = activity.GetTagItem("nzbdav.parts") as int? ?? 0,
        Size = Number(activity, "nzbdav.size"),
        Sent = Number(activity, "nzbdav.sent"),
        FirstByteMilliseconds = activity.GetTagItem("nzbdav.first_byte_ms") as double?,
        Outcome = activity.GetTagItem("nzbdav.outcome") as string,
        Fault = activity.GetTagItem("nzbdav.fault") as string,
        Waits = [.. activity.Events.Where(static one => one.Name == "wait").Select(Of)],
        Path = names ? activity.GetCustomProperty("path")?.ToString() : null,
    };

    private static StreamTraceWait Of(ActivityEvent wait)
    {
        var tags = wait.Tags.ToDictionary(StringComparer.Ordinal);
        return new StreamTraceWait(wait.Timestamp, tags.GetValueOrDefault("nzbdav.seconds") as double? ?? 0, tags.GetValueOrDefault("nzbdav.segment") is int segment ? segment + 1 : null, tags.GetValueOrDefault("nzbdav.story") as string);
    }

    private static long Number(Activity activity, string tag) => activity.GetTagItem(tag) as long? ?? 0;
}

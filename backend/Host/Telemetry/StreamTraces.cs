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
        return new StreamTraceWait(wait.Timestamp, tags.GetValueOrDefault("nzbdav.seconds") as double? ?? 0,
            tags.GetValueOrDefault("nzbdav.segment") is int segment ? segment + 1 : null, tags.GetValueOrDefault("nzbdav.story") as string);
    }

    private static long Number(Activity activity, string tag) => activity.GetTagItem(tag) as long? ?? 0;
}

/// <summary>A client's read of a file, in the support bundle.</summary>
internal sealed record StreamTrace
{
    public DateTimeOffset Begun { get; init; }

    /// <summary>Null while it is in progress.</summary>
    public double? Seconds { get; init; }

    public long Start { get; init; }

    public long Length { get; init; }

    public int Parts { get; init; }

    public long Size { get; init; }

    /// <summary>Null: none was sent yet.</summary>
    public double? FirstByteMilliseconds { get; init; }

    public long Sent { get; init; }

    /// <summary>
    /// <c>complete</c>, <c>client_gone</c>, <c>refused</c>, <c>broken</c>; null: it is in progress, or an error in the program ended it.
    /// </summary>
    public string? Outcome { get; init; }

    public string? Fault { get; init; }

    /// <summary>The long waits of the client.</summary>
    public StreamTraceWait[] Waits { get; init; } = [];

    /// <summary>The file; null if names are left out.</summary>
    public string? Path { get; init; }
}

/// <summary>A wait of a second or more within a read.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Seconds">Its length.</param>
/// <param name="Article">The article of the file that was waited for, from 1; null: not known.</param>
/// <param name="Story">Which providers were asked, with what result; null: not known.</param>
internal sealed record StreamTraceWait(DateTimeOffset At, double Seconds, int? Article, string? Story);

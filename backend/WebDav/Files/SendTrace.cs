using System.Diagnostics;
using NzbDav.Content;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Files;

/// <summary>
/// One response with a file's bytes as a span (<see cref="Activity"/>) of the source <c>NzbDav.WebDav</c>: the request, the time of the
/// first byte, and the outcome. Costs one check while nobody listens. The path is a property of the span and not an attribute, so that no
/// exporter sends file names.
/// </summary>
internal readonly struct SendTrace : IDisposable
{
    public const string SourceName = "NzbDav.WebDav";
    public const string Complete = "complete";
    public const string ClientGone = "client_gone";
    public const string Refused = "refused";
    public const string Broken = "broken";

    private static readonly ActivitySource Source = new(SourceName);

    private readonly Activity? _activity;

    private SendTrace(Activity? activity) => _activity = activity;

    public static SendTrace Begin(StorePath path, ByteSpan[] parts, long size)
    {
        var activity = Source.StartActivity("read", ActivityKind.Server);
        if (activity is null)
            return default;
        activity.SetCustomProperty("path", path);
        activity.SetTag("nzbdav.start", parts[0].Start);
        activity.SetTag("nzbdav.length", parts.Sum(part => part.Length));
        activity.SetTag("nzbdav.parts", parts.Length);
        activity.SetTag("nzbdav.size", size);
        return new SendTrace(activity);
    }

    public void FirstByte()
    {
        if (_activity is { } activity)
            activity.SetTag(
                "nzbdav.first_byte_ms", (TimeProvider.System.GetUtcNow().UtcDateTime - activity.StartTimeUtc).TotalMilliseconds);
    }

    /// <summary>Adds to the bytes sent.</summary>
    public void Sent(long bytes) => _activity?.SetTag("nzbdav.sent", bytes + (_activity.GetTagItem("nzbdav.sent") as long? ?? 0));

    /// <summary>Records a long wait for bytes.</summary>
    public void Waited(TimeSpan waited, ReaderWait? wait)
    {
        if (_activity is null)
            return;
        var tags = new ActivityTagsCollection { ["nzbdav.seconds"] = waited.TotalSeconds };
        if (wait is not null)
        {
            if (wait.Segment >= 0)
                tags["nzbdav.segment"] = wait.Segment;
            tags["nzbdav.story"] = wait.Trace;
        }

        _activity.AddEvent(new ActivityEvent("wait", TimeProvider.System.GetUtcNow(), tags));
    }

    public void End(string outcome, ContentFault? fault = null)
    {
        if (_activity is not { } activity)
            return;
        activity.SetTag("nzbdav.outcome", outcome);
        if (fault is null)
            return;
        activity.SetTag("nzbdav.fault", fault.ToString());
        activity.SetStatus(ActivityStatusCode.Error);
    }

    public void Dispose() => _activity?.Dispose();
}

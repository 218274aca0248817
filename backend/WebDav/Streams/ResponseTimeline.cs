using NzbDav.Content;
using NzbDav.Content.Recording;

namespace NzbDav.WebDav.Streams;

/// <summary>
/// Records one response in a <see cref="Timeline"/>. Each of its ranges is a request of its own. The sender records requests and ends, the
/// registry's timer also records deliveries.
/// </summary>
/// <param name="timeline">The timeline.</param>
/// <param name="source">The client and the file.</param>
/// <param name="stream">The stream's number.</param>
internal sealed class ResponseTimeline(Timeline timeline, TimelineSource source, long stream)
{
    private readonly Lock _gate = new();
    private ulong _request;
    private long _requestedAt;
    private long _reportedAt;
    private long _sent;
    private long _sentBefore;
    private long _stalled;
    private long _waited;
    private bool _ended;

    /// <summary>Records the request of a range, and the end of the previous one, which was sent.</summary>
    public void RangeRequested(long now, long start, long end, ReadIntent intent)
    {
        lock (_gate)
        {
            if (_request != 0)
                EndLocked(now, ResponseEnd.Complete);
            _request = timeline.NextRequest();
            _requestedAt = _reportedAt = now;
            _sentBefore = _sent;
            timeline.Streams.Add(new TimelineEntry
            {
                Kind = TimelineKind.Request,
                At = now,
                Id = _request,
                A = start,
                B = end,
                C = stream,
                Detail = (byte)intent,
                Note = source
            });
        }
    }

    public void FirstByte(long now) => timeline.Streams.Add(
        new TimelineEntry { Kind = TimelineKind.FirstByte, At = now, Id = _request, A = timeline.Between(_requestedAt, now).Ticks });

    public void Waited(long now, TimeSpan waited, long position, string? trace) =>
        timeline.Streams.Add(
            new TimelineEntry { Kind = TimelineKind.Waited, At = now, Id = _request, A = position, B = waited.Ticks, Note = trace });

    /// <summary>Records the bytes sent and the waits so far, as totals.</summary>
    public void Delivered(long now, long position, long sent, long stalled, long waited)
    {
        lock (_gate)
        {
            if (_ended || sent == _sent)
                return;
            timeline.Streams.Add(new TimelineEntry
            {
                Kind = TimelineKind.Delivered,
                At = now,
                Id = _request,
                A = position - (sent - _sent),
                Bytes = (int)Math.Min(int.MaxValue, sent - _sent),
                Connection = (int)stream,
                Note = source,
                B = _reportedAt,
                C = Math.Max(0, stalled - _stalled),
                D = Math.Max(0, waited - _waited),
            });
            (_sent, _stalled, _waited, _reportedAt) = (sent, stalled, waited, now);
        }
    }

    public void Ended(long now, long sent, ResponseEnd outcome)
    {
        lock (_gate)
        {
            if (_ended)
                return;
            _sent = sent;
            EndLocked(now, outcome);
            _ended = true;
        }
    }

    private void EndLocked(long now, ResponseEnd outcome) =>
        timeline.Streams.Add(
            new TimelineEntry { Kind = TimelineKind.Ended, At = now, Id = _request, A = _sent - _sentBefore, Outcome = (byte)outcome });
}

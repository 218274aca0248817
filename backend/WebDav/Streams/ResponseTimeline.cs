using NzbDav.Content;
using NzbDav.Content.Recording;

namespace NzbDav.WebDav.Streams;

/// <summary>Notes in a <see cref="Timeline"/> what becomes of one response. Each of its ranges is a request of its own. Requests and ends
/// come from the sender, deliveries from the registry's timer too.</summary>
/// <param name="timeline">Where.</param>
/// <param name="source">Who reads what.</param>
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

    /// <summary>A range is asked for; the one before, if there was one, has been sent.</summary>
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

    /// <summary>So much was sent until now, and so long was waited; all in all.</summary>
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

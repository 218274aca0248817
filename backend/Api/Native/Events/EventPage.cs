using System.Buffers;
using System.Threading.Channels;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Api.Native.Events;

/// <summary>
/// A listening page. Events that it does not read in time are dropped and replaced by a reset, so that no sender waits. Any thread may
/// offer events; one thread reads.
/// </summary>
internal sealed class EventPage(IReadOnlySet<string> topics, IReadOnlyList<EventFrame> first, EventFrame reset)
{
    /// <summary>
    /// Bound of the events that wait for a page that reads nothing: 16 seconds of a busy queue, or a burst of large ones.
    /// </summary>
    internal const int MostFrames = 64;

    /// <inheritdoc cref="MostFrames"/>
    internal const int MostBytes = 1 << 20;

    private readonly Lock _gate = new();
    private readonly Channel<EventFrame> _queue = Channel.CreateUnbounded<EventFrame>(new UnboundedChannelOptions { SingleReader = true });
    private int _frames;
    private long _bytes;
    private bool _isLagging;

    /// <summary>True while events are dropped because the page does not read.</summary>
    public bool IsLagging
    {
        get
        {
            lock (_gate)
                return _isLagging;
        }
    }

    /// <summary>Queues an event if the page listens to its topic. Never waits.</summary>
    public void Offer(EventFrame frame)
    {
        if (frame.Topic is not null && !topics.Contains(frame.Topic))
            return;
        lock (_gate)
        {
            if (_isLagging)
                return;
            if (_frames == MostFrames || (_frames > 0 && _bytes + frame.Bytes.Length > MostBytes))
            {
                _isLagging = true;
                return;
            }

            _frames++;
            _bytes += frame.Bytes.Length;
            _queue.Writer.TryWrite(frame);
        }
    }

    /// <summary>Writes events until the token is cancelled.</summary>
    public async Task WriteAsync(HttpResponse response, CancellationToken cancellationToken)
    {
        var body = response.BodyWriter;
        foreach (var frame in first)
            body.Write(frame.Bytes);
        await body.FlushAsync(cancellationToken);
        while (await _queue.Reader.WaitToReadAsync(cancellationToken))
        {
            foreach (var frame in Drain())
                body.Write(frame.Bytes);
            await body.FlushAsync(cancellationToken);
        }
    }

    private List<EventFrame> Drain()
    {
        var frames = new List<EventFrame>();
        lock (_gate)
        {
            while (_queue.Reader.TryRead(out var frame))
                frames.Add(frame);
            (_frames, _bytes) = (0, 0);
            if (_isLagging)
                frames = [reset];
            _isLagging = false;
        }

        return frames;
    }
}

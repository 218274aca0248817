using System.Globalization;
using System.Security.Cryptography;

namespace NzbDav.Api.Native.Events;

/// <summary>The listening pages, and the latest events for pages that come back. Lasts from the first listener to a while after the last.
/// Thread-safe.</summary>
internal sealed class EventRun
{
    /// <summary>Events kept for pages that come back: a minute of a busy queue.</summary>
    internal const int MostFrames = 240;

    /// <inheritdoc cref="MostFrames"/>
    internal const int MostBytes = 4 << 20;

    private readonly Lock _gate = new();
    private readonly Queue<EventFrame> _recent = new();
    private readonly Dictionary<string, EventFrame> _latest = new(StringComparer.Ordinal);
    private readonly Dictionary<string, EventFrame> _currentFrames = new(StringComparer.Ordinal);
    private readonly HashSet<EventPage> _pages = [];
    private readonly EventFrame _reset;
    private long _bytes;
    private long _sequence;
    private long _lost;

    public EventRun() => _reset = EventFrame.Of(null, EventFrame.Reset, Epoch, null, "{}"u8);

    /// <summary>First half of the ids. Differs in each run, so also after a restart.</summary>
    public string Epoch { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(5));

    /// <summary>Number of listening pages.</summary>
    public int Pages
    {
        get
        {
            lock (_gate)
                return _pages.Count;
        }
    }

    /// <summary>
    /// Adds a page. It first gets the events after <paramref name="after"/>, or a reset if too many were missed. A new page gets the latest
    /// state of each topic whose events are whole: otherwise it would know nothing of these topics until they change.
    /// </summary>
    /// <param name="topics">The topics that it listens to.</param>
    /// <param name="after">The id of the last event that it received; null: none yet.</param>
    /// <param name="hello">JSON of the greeting.</param>
    public EventPage Join(IReadOnlySet<string> topics, string? after, ReadOnlySpan<byte> hello)
    {
        lock (_gate)
        {
            var frames = new List<EventFrame>();
            if (after is null)
            {
                // The initial states carry no ids: a page that comes back sends the id of the greeting.
                frames.Add(EventFrame.Of(null, "hello", Epoch, _sequence, hello));
                frames.AddRange(_currentFrames.Values.Where(frame => topics.Contains(frame.Topic!)));
            }
            else if (Parse(after) is { } number && number >= _lost && number <= _sequence)
            {
                frames.Add(EventFrame.Of(null, "hello", Epoch, number, hello));
                frames.AddRange(_recent.Concat(_latest.Values).Where(frame => frame.Sequence > number && topics.Contains(frame.Topic!))
                    .OrderBy(frame => frame.Sequence));
            }
            else
            {
                frames.Add(EventFrame.Of(null, "hello", Epoch, _sequence, hello));
                frames.Add(_reset);
            }

            var page = new EventPage(topics, frames, _reset);
            _pages.Add(page);
            return page;
        }
    }

    public void Remove(EventPage page)
    {
        lock (_gate)
            _pages.Remove(page);
    }

    /// <summary>Sends an event to all listeners of a topic.</summary>
    /// <param name="topic">The topic.</param>
    /// <param name="name">The event's name.</param>
    /// <param name="isWhole">True if it replaces the topic's previous event.</param>
    /// <param name="json">The data.</param>
    public void Publish(string topic, string name, bool isWhole, ReadOnlySpan<byte> json)
    {
        lock (_gate)
        {
            var frame = EventFrame.Of(topic, name, Epoch, ++_sequence, json);
            if (isWhole)
            {
                _latest[topic] = frame;
                _currentFrames[topic] = EventFrame.Of(topic, name, Epoch, null, json);
            }
            else
            {
                _recent.Enqueue(frame);
                _bytes += frame.Bytes.Length;
                while (_recent.Count > MostFrames || _bytes > MostBytes)
                {
                    var oldest = _recent.Dequeue();
                    _bytes -= oldest.Bytes.Length;
                    _lost = oldest.Sequence;
                }
            }

            foreach (var page in _pages)
                page.Offer(frame);
        }
    }

    /// <summary>Sends a ping to all pages.</summary>
    public void Ping()
    {
        var frame = EventFrame.Of(null, "ping", Epoch, null, "{}"u8);
        lock (_gate)
        {
            foreach (var page in _pages)
                page.Offer(frame);
        }
    }

    /// <summary>Null for an id of another run.</summary>
    private long? Parse(string id) =>
        id.StartsWith(Epoch + "-", StringComparison.Ordinal) && long.TryParse(
            id.AsSpan(Epoch.Length + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var sequence) ? sequence : null;
}

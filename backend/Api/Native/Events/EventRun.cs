using System.Globalization;
using System.Security.Cryptography;

namespace NzbDav.Api.Native.Events;

/// <summary>What was told since somebody listens: the latest events, for pages that come back, and the pages. Thread-safe.</summary>
internal sealed class EventRun
{
    /// <summary>Events that are kept for pages that come back: a minute of a busy queue.</summary>
    internal const int MostFrames = 240;

    /// <inheritdoc cref="MostFrames"/>
    internal const int MostBytes = 4 << 20;

    private readonly Lock _gate = new();
    private readonly Queue<EventFrame> _recent = new();
    private readonly Dictionary<string, EventFrame> _latest = new(StringComparer.Ordinal);
    private readonly Dictionary<string, EventFrame> _standing = new(StringComparer.Ordinal);
    private readonly HashSet<EventPage> _pages = [];
    private readonly EventFrame _reset;
    private long _bytes;
    private long _sequence;
    private long _lost;

    public EventRun() => _reset = EventFrame.Of(null, EventFrame.Reset, Epoch, null, "{}"u8);

    /// <summary>First half of the ids: another one for each run, so also after a restart.</summary>
    public string Epoch { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(5));

    /// <summary>How many pages listen.</summary>
    public int Pages
    {
        get
        {
            lock (_gate)
                return _pages.Count;
        }
    }

    /// <summary>Takes a page in. What it missed since an event is told first, or that it missed too much. A page that has heard nothing hears how its whole topics stand: nothing else would tell it
    /// before they change.</summary>
    /// <param name="topics">What it listens to.</param>
    /// <param name="after">The id of the last event that it heard; null: it has heard none.</param>
    /// <param name="hello">JSON of the greeting.</param>
    public EventPage Join(IReadOnlySet<string> topics, string? after, ReadOnlySpan<byte> hello)
    {
        lock (_gate)
        {
            var frames = new List<EventFrame>();
            if (after is null)
            {
                // These carry no ids: the page comes back with that of the greeting.
                frames.Add(EventFrame.Of(null, "hello", Epoch, _sequence, hello));
                frames.AddRange(_standing.Values.Where(frame => topics.Contains(frame.Topic!)));
            }
            else if (Parse(after) is { } number && number >= _lost && number <= _sequence)
            {
                frames.Add(EventFrame.Of(null, "hello", Epoch, number, hello));
                frames.AddRange(_recent.Concat(_latest.Values).Where(frame => frame.Sequence > number && topics.Contains(frame.Topic!)).OrderBy(frame => frame.Sequence));
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

    public void Leave(EventPage page)
    {
        lock (_gate)
            _pages.Remove(page);
    }

    /// <summary>Tells everybody who listens to a topic.</summary>
    /// <param name="topic">The topic.</param>
    /// <param name="name">The event's name.</param>
    /// <param name="isWhole">It replaces the topic's former event.</param>
    /// <param name="json">The data.</param>
    public void Publish(string topic, string name, bool isWhole, ReadOnlySpan<byte> json)
    {
        lock (_gate)
        {
            var frame = EventFrame.Of(topic, name, Epoch, ++_sequence, json);
            if (isWhole)
            {
                _latest[topic] = frame;
                _standing[topic] = EventFrame.Of(topic, name, Epoch, null, json);
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

    /// <summary>Tells everybody that the connection is there.</summary>
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
        id.StartsWith(Epoch + "-", StringComparison.Ordinal) && long.TryParse(id.AsSpan(Epoch.Length + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var sequence) ? sequence : null;
}

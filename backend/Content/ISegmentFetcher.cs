namespace NzbDav.Content;

/// <summary>Fetches segments: the interface between the cache and a network. Called from any thread; must not block.</summary>
public interface ISegmentFetcher
{
    /// <summary>
    /// Bytes that the network delivers almost at once, as measured so far, whatever else is requested: this much may be requested together
    /// without delaying the first byte noticeably.
    /// </summary>
    long Burst { get; }

    /// <summary>
    /// Starts fetching. The fetcher always ends the flight, by <see cref="SegmentFlight.Complete"/> or <see cref="SegmentFlight.Fail"/>.
    /// </summary>
    void Begin(SegmentFlight flight);

    /// <summary>A more urgent reader joined: <see cref="SegmentFlight.Priority"/> went up.</summary>
    void Raise(SegmentFlight flight);

    /// <summary>Name of the source asked last for a flight under way, for display; null: none yet, or not known.</summary>
    string? SourceOf(SegmentFlight flight);

    /// <summary>The sources tried for a flight, ended or not, and how long each took, as text for a log; null: not known.</summary>
    string? TraceOf(SegmentFlight flight);

    /// <summary>
    /// Called when nobody wants the flight any more, under the cache's lock. True: no request was sent yet, and the flight was dropped.
    /// False: it is under way; it will be completed and its bytes kept.
    /// </summary>
    bool TryDrop(SegmentFlight flight);

    /// <summary>
    /// A flight ended and <see cref="SegmentFlight.IsFound"/>, wherever its bytes came from. Called once, before its readers are notified,
    /// on the thread that delivered the bytes: must return at once.
    /// </summary>
    void Completed(SegmentFlight flight);
}

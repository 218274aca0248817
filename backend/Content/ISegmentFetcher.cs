namespace NzbDav.Content;

/// <summary>Fetches segments: the edge between the cache and a network. Calls come from any thread and must not block.</summary>
public interface ISegmentFetcher
{
    /// <summary>
    /// Bytes that the network delivers within a moment, as measured so far, whatever else is requested: this much may be requested at once
    /// without delaying the first byte noticeably.
    /// </summary>
    long Burst { get; }

    /// <summary>
    /// Starts fetching. The fetcher ends the flight by <see cref="SegmentFlight.Complete"/> or <see cref="SegmentFlight.Fail"/>, always.
    /// </summary>
    void Begin(SegmentFlight flight);

    /// <summary>A more urgent reader joined: <see cref="SegmentFlight.Priority"/> went up.</summary>
    void Raise(SegmentFlight flight);

    /// <summary>Name of the source asked last for a flight under way, for display; null: none yet, or not known.</summary>
    string? SourceOf(SegmentFlight flight) => null;

    /// <summary>Which sources were tried for a flight, ended or not, and how long that took, as text for a log; null: not known.</summary>
    string? StoryOf(SegmentFlight flight) => null;

    /// <summary>
    /// Nobody wants the flight any more. Returns true when no request was sent yet and the flight has been forgotten. Returns false when it
    /// is under way: then it is completed and its bytes are kept.
    /// </summary>
    bool TryDrop(SegmentFlight flight);

    /// <summary>A flight was found, wherever its bytes came from. Called once, before its readers are notified, on the thread that
    /// delivered it: must return at once.</summary>
    void Completed(SegmentFlight flight)
    {
    }
}

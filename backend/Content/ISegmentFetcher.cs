namespace NzbDav.Content;

/// <summary>Fetches segments: the edge between the cache and a network. Calls come from any thread and must not block.</summary>
public interface ISegmentFetcher
{
    /// <summary>
    /// Bytes that the network, as far as it has shown itself, brings in a moment whatever else is asked for: so much may be sent for at once
    /// without the first of it coming noticeably later.
    /// </summary>
    long Burst { get; }

    /// <summary>Starts fetching. The fetcher ends the flight by <see cref="SegmentFlight.Complete"/> or <see cref="SegmentFlight.Fail"/>, always.</summary>
    void Begin(SegmentFlight flight);

    /// <summary>Somebody who waits more urgently joined: <see cref="SegmentFlight.Priority"/> went up.</summary>
    void Raise(SegmentFlight flight);

    /// <summary>Who was asked last for a flight that is under way, for people; null: nobody yet, or not known.</summary>
    string? SourceOf(SegmentFlight flight) => null;

    /// <summary>What was tried to get a flight, ended or not, and how long that took, in words for a log; null: not known.</summary>
    string? StoryOf(SegmentFlight flight) => null;

    /// <summary>
    /// Nobody wants the flight any more. True when it was not sent for yet and has been forgotten; false when it is under way:
    /// then it is brought to its end and its bytes are kept.
    /// </summary>
    bool TryDrop(SegmentFlight flight);

    /// <summary>A flight was found, wherever its bytes came from. Called once, before its readers are, on the thread that brought it: must return at once.</summary>
    void Completed(SegmentFlight flight)
    {
    }
}

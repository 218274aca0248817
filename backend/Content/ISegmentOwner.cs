namespace NzbDav.Content;

/// <summary>The owner of a flight, notified when it ends. Thread-safe.</summary>
internal interface ISegmentOwner
{
    /// <summary>The flight ended. Called outside its lock, before those who wait for it go on.</summary>
    void Ended(SegmentFlight flight);

    /// <summary>The time now, as a timestamp of the clock.</summary>
    long Now();
}

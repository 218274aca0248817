namespace NzbDav.Content;

/// <summary>A source of bytes that were lent before they were verified. Thread-safe.</summary>
internal interface IArriving
{
    /// <summary>True when it was verified and bytes lent in this generation are right.</summary>
    bool Confirms(int generation);

    /// <summary>Completes when it ended.</summary>
    Task WhenEnded();

    /// <summary>Why its bytes, after it ended, cannot be read or kept.</summary>
    ContentException Failure();
}

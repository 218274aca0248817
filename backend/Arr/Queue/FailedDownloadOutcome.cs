namespace NzbDav.Arr.Queue;

/// <summary>Outcome of giving up a download.</summary>
public enum FailedDownloadOutcome
{
    /// <summary>Its release is blocklisted, and a search for another one was started.</summary>
    Done,

    /// <summary>The instance did not grab it, or has imported it or given it up already.</summary>
    Unknown,

    /// <summary>Too soon after another search: try again in a minute.</summary>
    Later,

    /// <summary>The instance does not answer, or refuses: try again in a minute.</summary>
    NoAnswer,
}

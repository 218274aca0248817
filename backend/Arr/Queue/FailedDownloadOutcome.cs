namespace NzbDav.Arr.Queue;

/// <summary>How giving a download up ended.</summary>
public enum FailedDownloadOutcome
{
    /// <summary>Its release is blocklisted, and another one is searched for.</summary>
    Done,

    /// <summary>The instance did not grab it, or has imported it or given it up already.</summary>
    Unknown,

    /// <summary>Too soon after another search: try again in a minute.</summary>
    Later,

    /// <summary>The instance does not answer, or refuses: try again in a minute.</summary>
    NoAnswer,
}

namespace NzbDav.Library.Health;

/// <summary>How the search for a replacement stands.</summary>
public enum ReplacementState
{
    /// <summary>The *arr searches or downloads.</summary>
    Searching,

    /// <summary>Not now: another search began a moment ago, or the *arr does not answer.</summary>
    Later,

    /// <summary>The *arr has imported others for all of the files.</summary>
    Imported,

    /// <summary>No *arr has the file.</summary>
    None,
}

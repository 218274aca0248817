namespace NzbDav.Content.Recording;

/// <summary>How a response that sends a file's bytes ended.</summary>
public enum ResponseEnd : byte
{
    /// <summary>Not known.</summary>
    Unknown,

    /// <summary>All bytes were sent.</summary>
    Complete,

    /// <summary>The client left.</summary>
    ClientGone,

    /// <summary>It was refused: no byte could be read.</summary>
    Refused,

    /// <summary>It was aborted, as further bytes could not be read.</summary>
    Broken,
}

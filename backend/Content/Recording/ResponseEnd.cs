namespace NzbDav.Content.Recording;

/// <summary>How a response with bytes of a file ended.</summary>
public enum ResponseEnd : byte
{
    /// <summary>Nothing was said of it.</summary>
    Unknown,

    /// <summary>All bytes were sent.</summary>
    Complete,

    /// <summary>The client left.</summary>
    ClientGone,

    /// <summary>No byte could be had: it was refused.</summary>
    Refused,

    /// <summary>It was broken off, as bytes could not be had.</summary>
    Broken,
}

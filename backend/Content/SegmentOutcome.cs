namespace NzbDav.Content;

/// <summary>How the fetch of a segment ended. Expected failures are values.</summary>
public enum SegmentOutcome
{
    /// <summary>Not ended yet.</summary>
    Pending,

    /// <summary>All bytes are here and verified.</summary>
    Found,

    /// <summary>All bytes are here and intact, but the segment is not the part of the file that was expected.</summary>
    Mismatch,

    /// <summary>No source has it.</summary>
    Missing,

    /// <summary>Every copy that could be fetched is damaged.</summary>
    Corrupt,

    /// <summary>No source answers now.</summary>
    Unavailable,
}

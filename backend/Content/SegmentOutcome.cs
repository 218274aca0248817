namespace NzbDav.Content;

/// <summary>How the fetch of a segment ended. Expected failures are values.</summary>
public enum SegmentOutcome
{
    /// <summary>Not ended yet.</summary>
    Pending,

    /// <summary>All bytes have arrived and are verified.</summary>
    Found,

    /// <summary>All bytes have arrived intact, but the segment is not the expected part of the file.</summary>
    Mismatch,

    /// <summary>No source has it.</summary>
    Missing,

    /// <summary>Every copy that could be fetched is damaged.</summary>
    Corrupt,

    /// <summary>No source answers now.</summary>
    Unavailable,
}

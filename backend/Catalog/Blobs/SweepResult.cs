namespace NzbDav.Catalog.Blobs;

/// <summary>What a sweep for orphaned blobs found and did.</summary>
public sealed record SweepResult
{
    /// <summary>Blobs in the folder, quarantined ones excluded.</summary>
    public required int Blobs { get; init; }

    /// <summary>Of these: nothing refers to them and they are older than an hour.</summary>
    public required int Orphans { get; init; }

    /// <summary>True if the orphans are too large a part of all blobs: nothing was moved or removed.</summary>
    public bool Refused { get; init; }

    /// <summary>Orphans that were moved to the quarantine.</summary>
    public int Quarantined { get; init; }

    /// <summary>Blobs that were moved back from the quarantine, because something refers to them again.</summary>
    public int Returned { get; init; }

    /// <summary>Files that were deleted: unfinished ones, and blobs whose quarantine is over.</summary>
    public int Deleted { get; init; }
}

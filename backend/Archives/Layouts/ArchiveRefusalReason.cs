namespace NzbDav.Archives.Layouts;

/// <summary>Why an archive or one of its entries cannot be served.</summary>
public enum ArchiveRefusalReason
{
    /// <summary>The bytes are compressed or filtered: not streamable.</summary>
    Compressed,

    /// <summary>Encrypted, and none of the passwords is right.</summary>
    Encrypted,

    /// <summary>Volumes of the set are not there.</summary>
    MissingVolumes,

    /// <summary>All volumes are there, but their order cannot be determined.</summary>
    Unordered,

    /// <summary>The headers contradict themselves, fail their checksums, or claim more than there is.</summary>
    Damaged,

    /// <summary>A variant of the format that this product does not know.</summary>
    Unsupported,

    /// <summary>Articles that hold headers are missing or damaged everywhere: permanent.</summary>
    Unreadable,

    /// <summary>Articles that hold headers are unavailable now: trying later may succeed.</summary>
    Unavailable,
}

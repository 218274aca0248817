namespace NzbDav.WebDav.Store;

/// <summary>The outcome of a write.</summary>
/// <param name="Status">Determines the HTTP status.</param>
/// <param name="Reason">One line for people; sent as the body of a refusal.</param>
public readonly record struct StoreWriteResult(StoreWriteStatus Status, string? Reason = null)
{
    public static StoreWriteResult Created => new(StoreWriteStatus.Created);

    public static StoreWriteResult Replaced => new(StoreWriteStatus.Replaced);

    public static StoreWriteResult Deleted => new(StoreWriteStatus.Deleted);

    public static StoreWriteResult Forbidden => new(StoreWriteStatus.Forbidden, "This folder is read-only.");

    public static StoreWriteResult NotFound => new(StoreWriteStatus.NotFound);

    public static StoreWriteResult TooLarge => new(StoreWriteStatus.TooLarge, "The file is larger than this folder takes.");

    public static StoreWriteResult InsufficientStorage => new(StoreWriteStatus.InsufficientStorage, "There is no room for the file.");

    /// <summary>The item's state does not allow the write.</summary>
    public static StoreWriteResult Conflict(string reason) => new(StoreWriteStatus.Conflict, reason);

    /// <summary>The bytes are invalid for this folder; the reason names the line or offset of the error.</summary>
    public static StoreWriteResult Invalid(string reason) => new(StoreWriteStatus.Invalid, reason);

    /// <summary>A later attempt may succeed.</summary>
    public static StoreWriteResult Unavailable(string reason) => new(StoreWriteStatus.Unavailable, reason);
}

/// <summary>Outcomes of a write.</summary>
public enum StoreWriteStatus
{
    /// <summary>201: a new item exists.</summary>
    Created,

    /// <summary>204: an existing item has new bytes.</summary>
    Replaced,

    /// <summary>204: the item is gone.</summary>
    Deleted,

    /// <summary>403: this part of the tree is read-only.</summary>
    Forbidden,

    /// <summary>404: there is no such item.</summary>
    NotFound,

    /// <summary>409: the parent is missing, or the item's state does not allow the write.</summary>
    Conflict,

    /// <summary>422: the bytes are invalid for this folder.</summary>
    Invalid,

    /// <summary>413: the file is too large for this folder.</summary>
    TooLarge,

    /// <summary>507: the disk is full.</summary>
    InsufficientStorage,

    /// <summary>503 with Retry-After: a later attempt may succeed.</summary>
    Unavailable,
}

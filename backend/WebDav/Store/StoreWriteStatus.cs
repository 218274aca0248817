namespace NzbDav.WebDav.Store;

/// <summary>How a write ended.</summary>
public enum StoreWriteStatus
{
    /// <summary>201: a new item is there.</summary>
    Created,

    /// <summary>204: an existing item has new bytes.</summary>
    Replaced,

    /// <summary>204: the item is gone.</summary>
    Deleted,

    /// <summary>403: this part of the tree is read-only.</summary>
    Forbidden,

    /// <summary>404: there is no such item.</summary>
    NotFound,

    /// <summary>409: the parent is missing, or the item is in a state that refuses this.</summary>
    Conflict,

    /// <summary>422: the bytes are not what this folder takes.</summary>
    Invalid,

    /// <summary>413: more bytes than this folder takes.</summary>
    TooLarge,

    /// <summary>507: no room.</summary>
    InsufficientStorage,

    /// <summary>503 with Retry-After: later may work.</summary>
    Unavailable,
}

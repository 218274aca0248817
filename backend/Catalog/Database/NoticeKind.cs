namespace NzbDav.Catalog.Database;

/// <summary>What a <see cref="CatalogNotice"/> is about.</summary>
internal enum NoticeKind
{
    /// <summary>A scope of cached data has a new version: its name, '=', the version.</summary>
    Scope,

    /// <summary>A collection's children were added, removed or renamed: its id.</summary>
    Children,

    /// <summary>A job was added, changed or deleted: its id, ':', its state, which is empty for a deleted one.</summary>
    Job,

    /// <summary>A job got another place in the queue: its id.</summary>
    Order,

    /// <summary>A torrent changed: its info-hash.</summary>
    Torrent,

    /// <summary>Categories or tags of torrents changed; no text.</summary>
    Labels,

    /// <summary>The health of posts changed; no text.</summary>
    Health,

    /// <summary>Files were hidden or shown again; no text.</summary>
    Hidden,

    /// <summary>A session was ended: its id.</summary>
    Session,

    /// <summary>Keys were added or replaced; no text.</summary>
    Keys,

    /// <summary>WebDAV locks changed; no text.</summary>
    Lock,

    /// <summary>A gateway lacks connections that others have to give up; no text.</summary>
    Shares,

    /// <summary>Items of the tree were removed; no text.</summary>
    Removed,

    /// <summary>A job was released by an *arr; no text.</summary>
    Released,
}

namespace NzbDav.Content.Recording;

/// <summary>Kind of an entry of a <see cref="Timeline"/>.</summary>
public enum TimelineKind : byte
{
    /// <summary>A client asked for bytes of a file.</summary>
    Request,

    /// <summary>The first bytes for a request are available.</summary>
    FirstByte,

    /// <summary>Bytes were sent in the last second or so.</summary>
    Delivered,

    /// <summary>A response's wait for bytes ended.</summary>
    Waited,

    /// <summary>A response ended.</summary>
    Ended,

    /// <summary>A request for an article ended.</summary>
    Article,

    /// <summary>A provider was asked whether it has an article.</summary>
    Stat,

    /// <summary>A connection was opened.</summary>
    Opened,

    /// <summary>A connection could not be opened.</summary>
    Failed,

    /// <summary>A connection ended.</summary>
    Closed,

    /// <summary>An account allows fewer connections than configured.</summary>
    Capped,
}

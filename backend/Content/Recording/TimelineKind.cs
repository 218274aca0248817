namespace NzbDav.Content.Recording;

/// <summary>What an entry of a <see cref="Timeline"/> tells.</summary>
public enum TimelineKind : byte
{
    /// <summary>A client asked for bytes of a file.</summary>
    Request,

    /// <summary>The first bytes for a request are at hand.</summary>
    FirstByte,

    /// <summary>Bytes were sent in the last second or so.</summary>
    Delivered,

    /// <summary>A response waited for bytes, and the wait is over.</summary>
    Waited,

    /// <summary>A response ended.</summary>
    Ended,

    /// <summary>A provider was asked for an article, and this came of it.</summary>
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

namespace NzbDav.Catalog.Database;

/// <summary>How a write transaction is committed.</summary>
internal enum WriteKind
{
    /// <summary>Together with others that wait; survives a power cut once its task completes.</summary>
    Durable,

    /// <summary>Together with others that wait; survives the end of the process, but a power cut may take it back.</summary>
    Relaxed,

    /// <summary>In a transaction of its own, which sees nothing that is not committed: for what cannot be rolled back, such as removing files.</summary>
    Alone,
}

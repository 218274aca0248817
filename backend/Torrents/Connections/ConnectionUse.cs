namespace NzbDav.Torrents.Connections;

/// <summary>Usefulness of a connection. Lower values are closed first.</summary>
internal enum ConnectionUse
{
    /// <summary>Both sides only upload (BEP 21), and that does not change by itself.</summary>
    BothUpload,

    /// <summary>It was asked for blocks and has sent none for a long time.</summary>
    Snubbed,

    /// <summary>Neither side has anything that the other wants.</summary>
    Indifferent,

    /// <summary>At least one side wants something from the other.</summary>
    Wanted,

    /// <summary>It serves a reader: it is never closed for a newcomer.</summary>
    ServesReader,
}

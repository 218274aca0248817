namespace NzbDav.Torrents.Connections;

/// <summary>What a connection is good for. The lower goes first.</summary>
internal enum ConnectionUse
{
    /// <summary>Both sides only upload (BEP 21), and that does not change by itself.</summary>
    BothUpload,

    /// <summary>It was asked for blocks and has sent none for a long time.</summary>
    Snubbed,

    /// <summary>Neither side has anything that the other wants.</summary>
    Indifferent,

    /// <summary>At least one side wants something of the other.</summary>
    Wanted,

    /// <summary>It serves a reader: it never goes for a newcomer.</summary>
    ServesReader,
}

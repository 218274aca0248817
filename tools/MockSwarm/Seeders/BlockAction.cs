namespace NzbDav.MockSwarm.Seeders;

/// <summary>How a seeder handles a request.</summary>
public enum BlockAction
{
    Serve,

    /// <summary>Sends the block with a byte changed.</summary>
    Corrupt,

    /// <summary>Never answers.</summary>
    Drop,

    /// <summary>Rejects it (BEP 6); a peer without the fast extension gets no answer.</summary>
    Reject,

    /// <summary>Closes the connection.</summary>
    Close,

    /// <summary>Sends the header and half of the block, then nothing more on this connection.</summary>
    Stall,
}

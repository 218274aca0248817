namespace NzbDav.Torrents.Peers;

/// <summary>Takes in the blocks that peers send. Called by the receive loop of each peer.</summary>
internal interface IBlockReceiver
{
    /// <summary>The header of a block arrived. Returns why the peer is to be let go; null if it stays.</summary>
    string? Begin(Peer peer, int piece, int begin, int length);

    /// <summary>The next bytes of the block arrived.</summary>
    void Take(Peer peer, ReadOnlySpan<byte> bytes);
}

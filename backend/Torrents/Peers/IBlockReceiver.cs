namespace NzbDav.Torrents.Peers;

/// <summary>Receives the blocks that peers send. Called by the receive loop of each peer.</summary>
/// <typeparam name="TPeer">A peer.</typeparam>
internal interface IBlockReceiver<in TPeer>
{
    /// <summary>The header of a block arrived. Returns the reason if the peer must be disconnected, otherwise null.</summary>
    string? Begin(TPeer peer, int piece, int begin, int length);

    /// <summary>The next bytes of the block arrived.</summary>
    void Take(TPeer peer, ReadOnlySpan<byte> bytes);
}

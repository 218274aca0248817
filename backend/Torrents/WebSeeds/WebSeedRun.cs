namespace NzbDav.Torrents.WebSeeds;

/// <summary>A block requested from a web seed.</summary>
/// <param name="Piece">Its piece.</param>
/// <param name="Begin">Its offset in the piece.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Offset">Its offset in the torrent.</param>
internal readonly record struct WebSeedBlock(int Piece, int Begin, int Length, long Offset);

/// <summary>Adjacent requested blocks that are fetched together. Used under the lock of its queue, unless stated otherwise.</summary>
internal sealed class WebSeedRun : IDisposable
{
    private readonly bool[] _done;
    private readonly CancellationTokenSource _dropped;
    private readonly CancellationTokenSource _stopping;
    private int _left;

    /// <param name="blocks">At least one.</param>
    /// <param name="time">Drives <see cref="Wait"/>.</param>
    /// <param name="stopping">Fires when the transport ends.</param>
    public WebSeedRun(WebSeedBlock[] blocks, TimeProvider time, CancellationToken stopping)
    {
        Blocks = blocks;
        _done = new bool[blocks.Length];
        _left = blocks.Length;
        _dropped = new CancellationTokenSource(Timeout.InfiniteTimeSpan, time);
        _stopping = CancellationTokenSource.CreateLinkedTokenSource(_dropped.Token, stopping);
    }

    /// <summary>The blocks in order. Immutable.</summary>
    public WebSeedBlock[] Blocks { get; }

    /// <summary>Offset of the first byte in the torrent. Immutable.</summary>
    public long Start => Blocks[0].Offset;

    /// <summary>Offset after the last byte. Immutable.</summary>
    public long End => Blocks[^1].Offset + Blocks[^1].Length;

    /// <summary>Fires when no block is needed any more, when the transport ends, or when the server was silent for too long.</summary>
    public CancellationToken Token => _stopping.Token;

    /// <summary>True once each block has arrived or is no longer needed.</summary>
    public bool IsDone => _left == 0;

    /// <summary>Restarts the time-out of a silent server. Needs no lock.</summary>
    public void Wait() => _dropped.CancelAfter(WebSeedClient.SilenceTimeout);

    /// <summary>Marks a block as arrived or no longer needed. False if it was already marked.</summary>
    public bool Complete(int block)
    {
        if (_done[block])
            return false;
        _done[block] = true;
        _left--;
        return true;
    }

    /// <summary>
    /// Like <see cref="Complete"/>, for a request that is withdrawn. False if the run does not contain the block, or it was already marked.
    /// </summary>
    public bool Drop(int piece, int begin)
    {
        var block = Array.FindIndex(Blocks, one => one.Piece == piece && one.Begin == begin);
        if (block < 0 || !Complete(block))
            return false;
        if (IsDone)
            _ = _dropped.CancelAsync();
        return true;
    }

    public void Dispose()
    {
        _stopping.Dispose();
        _dropped.Dispose();
    }
}

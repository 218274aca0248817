namespace NzbDav.Torrents.WebSeeds;

/// <summary>A block that was requested from a web seed.</summary>
/// <param name="Piece">Its piece.</param>
/// <param name="Begin">Its offset in the piece.</param>
/// <param name="Length">Bytes.</param>
/// <param name="Offset">Its offset in the torrent.</param>
internal readonly record struct WebSeedBlock(int Piece, int Begin, int Length, long Offset);

/// <summary>
/// Requested blocks that are adjacent and are fetched together. Used under the lock of its transport, unless stated otherwise.
/// </summary>
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

    /// <summary>In order. Immutable.</summary>
    public WebSeedBlock[] Blocks { get; }

    /// <summary>First byte in the torrent. Immutable.</summary>
    public long Start => Blocks[0].Offset;

    /// <summary>One past the last byte. Immutable.</summary>
    public long End => Blocks[^1].Offset + Blocks[^1].Length;

    /// <summary>Fires when nothing of it is wanted any more, when the transport ends, or when the server was silent for too long.</summary>
    public CancellationToken Token => _stopping.Token;

    /// <summary>True once each of its blocks has arrived or is no longer wanted.</summary>
    public bool IsDone => _left == 0;

    /// <summary>Restarts the time-out of a silent server. Needs no lock.</summary>
    public void Wait() => _dropped.CancelAfter(WebSeedClient.SilenceTimeout);

    /// <summary>Marks a block as arrived or no longer wanted. False if it was marked before.</summary>
    public bool Complete(int block)
    {
        if (_done[block])
            return false;
        _done[block] = true;
        _left--;
        return true;
    }

    /// <summary>Like <see cref="Complete"/>, for a request that is withdrawn; false if the run does not have it, or no longer.</summary>
    public bool Drop(int piece, int begin)
    {
        var block = Array.FindIndex(Blocks, one => one.Piece == piece && one.Begin == begin);
        if (block < 0 || !Complete(block))
            return false;
        if (IsDone)
            _ = _dropped.CancelAsync();
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stopping.Dispose();
        _dropped.Dispose();
    }
}

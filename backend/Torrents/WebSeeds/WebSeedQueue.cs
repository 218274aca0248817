namespace NzbDav.Torrents.WebSeeds;

/// <summary>The blocks requested from a web seed: those that wait, and those that are being fetched. Thread-safe.</summary>
/// <param name="time">Drives the time-out of a silent server.</param>
/// <param name="stopping">Fires when the transport ends.</param>
internal sealed class WebSeedQueue(TimeProvider time, CancellationToken stopping)
{
    /// <summary>
    /// Most concurrent requests to the server: one answer arrives while the next is under way. With a near server more would gain nothing;
    /// with a far one the first bytes arrive sooner.
    /// </summary>
    public const int MostRuns = WebSeedClient.MostConnections;

    /// <summary>
    /// Fewest blocks of a request while more wait, 256 KiB: the answer's headers and the round trip are small compared with that.
    /// </summary>
    private const int LeastBlocks = 16;

    /// <summary>Most blocks of a request, 4 MiB: that much is lost when a reader leaves during the request.</summary>
    private const int MostBlocks = 256;

    private readonly Lock _gate = new();
    private readonly LinkedList<WebSeedBlock> _waiting = [];
    private readonly List<WebSeedRun> _runs = [];
    private int _workers;

    /// <summary>Adds a requested block.</summary>
    public void Add(in WebSeedBlock block)
    {
        lock (_gate)
            _waiting.AddLast(block);
    }

    /// <summary>Withdraws a request. False if its block has been sent, or was never requested.</summary>
    public bool Withdraw(int piece, int begin)
    {
        lock (_gate)
        {
            for (var node = _waiting.Last; node is not null; node = node.Previous)
            {
                if (node.Value.Piece != piece || node.Value.Begin != begin)
                    continue;
                _waiting.Remove(node);
                return true;
            }

            return _runs.Exists(run => run.Drop(piece, begin));
        }
    }

    /// <summary>
    /// True if another worker should be started. It is then counted, and must call <see cref="Next"/> until that returns null.
    /// </summary>
    public bool TryAddWorker()
    {
        lock (_gate)
        {
            // The second worker lets urgent blocks pass a long run. More workers are for a long queue.
            var least = _workers < 2 ? 1 : LeastBlocks;
            if (_workers >= MostRuns || _waiting.Count < ((_workers - _runs.Count) * LeastBlocks) + least)
                return false;
            _workers++;
            return true;
        }
    }

    /// <summary>The next blocks to fetch together. Null = none; the worker is then no longer counted.</summary>
    public WebSeedRun? Next()
    {
        lock (_gate)
        {
            if (_waiting.First is not { } first || stopping.IsCancellationRequested)
            {
                _workers--;
                return null;
            }

            var most = Math.Clamp(_waiting.Count / (MostRuns - _runs.Count), LeastBlocks, MostBlocks);
            List<WebSeedBlock> blocks = [];
            for (var node = first; node is not null && blocks.Count < most; node = _waiting.First)
            {
                if (blocks.Count > 0 && node.Value.Offset != blocks[^1].Offset + blocks[^1].Length)
                    break;
                blocks.Add(node.Value);
                _waiting.RemoveFirst();
            }

            var run = new WebSeedRun([.. blocks], time, stopping);
            _runs.Add(run);
            return run;
        }
    }

    /// <summary>Marks a block of a run as arrived. False if it is no longer needed.</summary>
    public bool Complete(WebSeedRun run, int block)
    {
        lock (_gate)
            return run.Complete(block);
    }

    /// <summary>True once no block of a run is needed any more.</summary>
    public bool IsDone(WebSeedRun run)
    {
        lock (_gate)
            return run.IsDone;
    }

    /// <summary>Removes a run that has ended, and disposes it.</summary>
    public void End(WebSeedRun run)
    {
        lock (_gate)
            _runs.Remove(run);
        run.Dispose();
    }
}

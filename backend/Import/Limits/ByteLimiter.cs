namespace NzbDav.Import.Limits;

/// <summary>
/// FIFO limiter over a byte budget. Thread-safe. The framework's ConcurrencyLimiter is not enough: when its first waiter is cancelled,
/// those behind it keep waiting until somebody releases, and it refuses when 2 GiB wait.
/// </summary>
/// <param name="most">The budget in bytes.</param>
internal sealed class ByteLimiter(long most)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<(long Bytes, TaskCompletionSource Turn)> _waiting = new();
    private long _used;

    /// <summary>The budget in bytes.</summary>
    public long Most => most;

    /// <summary>Number of waiting callers.</summary>
    public int Waiting
    {
        get
        {
            lock (_gate)
                return _waiting.Count;
        }
    }

    /// <summary>Waits until the bytes are free, and acquires them.</summary>
    /// <param name="bytes">More than <see cref="Most"/> counts as the whole budget.</param>
    /// <param name="cancellationToken">Fires when they are no longer wanted.</param>
    /// <returns>Dispose it once, to release the bytes.</returns>
    public async Task<IDisposable> AcquireAsync(long bytes, CancellationToken cancellationToken)
    {
        bytes = Math.Min(bytes, most);
        LinkedListNode<(long Bytes, TaskCompletionSource Turn)> node;
        lock (_gate)
        {
            node = _waiting.AddLast((bytes, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)));
            AdmitLocked();
        }

        await using (cancellationToken.UnsafeRegister(
            static (state, token) => ((TaskCompletionSource)state!).TrySetCanceled(token), node.Value.Turn))
        {
            try
            {
                await node.Value.Turn.Task;
            }
            catch (OperationCanceledException)
            {
                lock (_gate)
                {
                    _waiting.Remove(node);
                    AdmitLocked();
                }

                throw;
            }
        }

        return new Lease(this, bytes);
    }

    private void AdmitLocked()
    {
        while (_waiting.First is { } next && _used + next.Value.Bytes <= most)
        {
            // It was cancelled: its own AcquireAsync removes it and calls this method again.
            if (!next.Value.Turn.TrySetResult())
                return;
            _used += next.Value.Bytes;
            _waiting.RemoveFirst();
        }
    }

    private void Release(long bytes)
    {
        lock (_gate)
        {
            _used -= bytes;
            AdmitLocked();
        }
    }

    private sealed class Lease(ByteLimiter owner, long bytes) : IDisposable
    {
        public void Dispose() => owner.Release(bytes);
    }
}

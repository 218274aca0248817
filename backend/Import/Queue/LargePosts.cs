namespace NzbDav.Import.Queue;

/// <summary>
/// Limits how many large posts are imported at a time, because an .nzb takes about as much memory as it is long once it is read. Small ones are admitted at once. Large
/// ones are admitted in order of arrival; one that exceeds the whole limit runs alone. Thread-safe.
/// </summary>
internal sealed class LargePosts
{
    /// <summary>Bytes of large .nzb files that are imported at a time: one post of 500 GB (71 MB), or a dozen of 50 GB.</summary>
    internal const long Most = 96 << 20;

    /// <summary>An .nzb smaller than this, in bytes, counts as small: about 10 GB of post.</summary>
    internal const long Small = 1 << 20;

    private readonly Lock _gate = new();
    private readonly LinkedList<(long Bytes, TaskCompletionSource Turn)> _waiting = new();
    private long _taken;

    /// <summary>Waits until the post may be imported.</summary>
    /// <param name="bytes">Length of the .nzb in bytes.</param>
    /// <param name="cancellationToken">Cancelled when the job is no longer claimed.</param>
    /// <returns>Dispose it when the import ends. Null for a small post, which needs no place.</returns>
    public async Task<IDisposable?> EnterAsync(long bytes, CancellationToken cancellationToken)
    {
        if (bytes < Small)
            return null;
        bytes = Math.Min(bytes, Most);
        LinkedListNode<(long Bytes, TaskCompletionSource Turn)> node;
        lock (_gate)
        {
            node = _waiting.AddLast((bytes, new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously)));
            AdmitLocked();
        }

        await using (cancellationToken.UnsafeRegister(static (state, token) => ((TaskCompletionSource)state!).TrySetCanceled(token), node.Value.Turn))
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

        return new Place(this, bytes);
    }

    private void AdmitLocked()
    {
        while (_waiting.First is { } next && _taken + next.Value.Bytes <= Most)
        {
            // It was cancelled: its own EnterAsync removes it and calls this method again.
            if (!next.Value.Turn.TrySetResult())
                return;
            _taken += next.Value.Bytes;
            _waiting.RemoveFirst();
        }
    }

    private void Leave(long bytes)
    {
        lock (_gate)
        {
            _taken -= bytes;
            AdmitLocked();
        }
    }

    private sealed class Place(LargePosts owner, long bytes) : IDisposable
    {
        public void Dispose() => owner.Leave(bytes);
    }
}

namespace NzbDav.Import;

/// <summary>
/// Lets large posts into the importer only as far as memory is meant for them: read, an .nzb takes about as much memory as it is long. Small ones always go ahead. In order of their
/// coming; one that exceeds all there is goes alone. Thread-safe.
/// </summary>
internal sealed class LargePosts
{
    /// <summary>Bytes of .nzb files that are imported at a time: one post of 500 GB (71 MB), or a dozen of 50 GB.</summary>
    internal const long Most = 96 << 20;

    /// <summary>An .nzb of fewer bytes needs no place: about 10 GB of post.</summary>
    internal const long Small = 1 << 20;

    private readonly Lock _gate = new();
    private readonly LinkedList<(long Bytes, TaskCompletionSource Turn)> _waiting = new();
    private long _taken;

    /// <summary>Waits for a place.</summary>
    /// <param name="bytes">Length of the .nzb.</param>
    /// <param name="cancellationToken">The job was taken away.</param>
    /// <returns>Gives the place back when it is disposed.</returns>
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
            // One whose job was taken away removes itself.
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

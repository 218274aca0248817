using System.Threading.Tasks.Sources;

namespace NzbDav.Torrents.Scheduling;

/// <summary>A reader's wait, reusable without allocating. One wait at a time; the other methods may be called from any thread.</summary>
internal sealed class TorrentWaiter : IValueTaskSource<string?>
{
    private readonly Lock _gate = new();
    private ManualResetValueTaskSourceCore<string?> _core = new() { RunContinuationsAsynchronously = true };
    private bool _armed;

    /// <summary>
    /// Begins a wait. Its result is null when the caller should check again; otherwise the reason why the piece does not arrive.
    /// </summary>
    public ValueTask<string?> Arm()
    {
        lock (_gate)
        {
            _core.Reset();
            _armed = true;
            return new ValueTask<string?>(this, _core.Version);
        }
    }

    /// <summary>Ends the wait: the piece has arrived.</summary>
    public void Wake() => Complete(reason: null, error: null);

    /// <summary>Ends the wait: the piece does not arrive.</summary>
    public void Fail(string reason) => Complete(reason, error: null);

    /// <summary>Ends the wait: the caller gave up.</summary>
    public void Cancel(CancellationToken token) => Complete(reason: null, new OperationCanceledException(token));

    string? IValueTaskSource<string?>.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<string?>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<string?>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Complete(string? reason, Exception? error)
    {
        lock (_gate)
        {
            if (!_armed)
                return;
            _armed = false;
        }

        if (error is null)
            _core.SetResult(reason);
        else
            _core.SetException(error);
    }
}

using System.Threading.Tasks.Sources;

namespace NzbDav.Torrents.Utp;

/// <summary>A wait that can be repeated without an allocation. Used under its connection's lock, except for the awaiting itself. One waits
/// at a time. Who waited goes on at another thread.</summary>
internal sealed class UtpWait : IValueTaskSource
{
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    private bool _isWaiting;

    /// <summary>Begins to wait.</summary>
    public ValueTask Begin()
    {
        _core.Reset();
        _isWaiting = true;
        return new ValueTask(this, _core.Version);
    }

    /// <summary>Ends the wait, if there is one.</summary>
    public void End()
    {
        if (!_isWaiting)
            return;
        _isWaiting = false;
        _core.SetResult(true);
    }

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}

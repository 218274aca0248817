using System.Threading.Tasks.Sources;

namespace NzbDav.MockSwarm.Pacing;

/// <summary>A session's only wait: until a time or until <see cref="Set"/> is called, whichever is first. Allocates nothing.</summary>
internal sealed class Alarm : IValueTaskSource
{
    private readonly Lock _gate = new();
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    private bool _armed;
    private bool _set;

    /// <summary>Waits. A call of <see cref="Set"/> since the last wait ends it at once.</summary>
    /// <param name="due">Ticks of the clock; <see cref="long.MaxValue"/> = only <see cref="Set"/> ends it.</param>
    public ValueTask WaitAsync(long due)
    {
        short version;
        lock (_gate)
        {
            if (_set || due <= PreciseClock.Now)
            {
                _set = false;
                return ValueTask.CompletedTask;
            }

            _core.Reset();
            version = _core.Version;
            _armed = true;
        }

        if (due != long.MaxValue)
            PreciseClock.Schedule(this, version, due);
        return new ValueTask(this, version);
    }

    public void Set() => Complete(version: null);

    internal void Fire(short version) => Complete(version);

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Complete(short? version)
    {
        lock (_gate)
        {
            if (version is { } wanted && (!_armed || wanted != _core.Version))
                return;
            if (!_armed)
            {
                _set = true;
                return;
            }

            _armed = false;
            _set = false;
        }

        _core.SetResult(true);
    }
}

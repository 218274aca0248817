namespace NzbDav.Fuzz.Formats;

/// <summary>
/// A stopped clock whose timers fire only on request, on the requesting thread. A fake that advances to their due time would also expire
/// what was learned before.
/// </summary>
internal sealed class EndlessTime : TimeProvider
{
    private readonly List<Due> _timers = [];

    /// <inheritdoc/>
    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        var timer = new Due(callback, state, this);
        _timers.Add(timer);
        return timer;
    }

    /// <inheritdoc/>
    public override long GetTimestamp() => 0;

    /// <inheritdoc/>
    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch;

    /// <summary>Fires all running timers.</summary>
    public void End()
    {
        foreach (var timer in _timers.ToArray())
            timer.Fire();
    }

    private sealed class Due(TimerCallback callback, object? state, EndlessTime owner) : ITimer
    {
        public void Fire() => callback(state);

        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose() => owner._timers.Remove(this);

        public ValueTask DisposeAsync()
        {
            Dispose();
            return ValueTask.CompletedTask;
        }
    }
}

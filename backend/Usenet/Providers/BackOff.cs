namespace NzbDav.Usenet.Providers;

/// <summary>The pause of the lane that waits for the breaker. Thread-safe.</summary>
internal sealed class BackOff(PoolState state, DemandedDial demandedDial, PoolLog log)
{
    /// <summary>Ends the pause; null while there is none. Guarded by the pool's lock.</summary>
    private TaskCompletionSource? _ends;

    /// <summary>True while a lane waits. Under the pool's lock.</summary>
    public bool IsWaiting
    {
        get
        {
            state.AssertLocked();
            return _ends is not null;
        }
    }

    /// <summary>Waits, unless readers already want an attempt now.</summary>
    /// <returns>True when the wait was ended early because the provider greeted or was wanted at once.</returns>
    public async Task<bool> WaitAsync(TimeSpan wait)
    {
        var until = state.Time.GetUtcNow() + wait;

        // Starts before anyone can end it.
        using var end = CancellationTokenSource.CreateLinkedTokenSource(state.Stopping);
        var pause = Task.Delay(wait, state.Time, end.Token);
        var ends = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        bool news;
        lock (state.Gate)
        {
            _ends = ends;
            if (demandedDial.IsActive)
                ends.SetResult();
            news = state.NextAttempt is null || until > state.NextAttempt + TimeSpan.FromSeconds(1);
            state.NextAttempt = until;
        }

        if (news)
            log.BackOff(wait);
        var first = await Task.WhenAny(pause, ends.Task);
        lock (state.Gate)
            _ends = null;
        if (first == pause)
            await pause;
        else
            await end.CancelAsync();
        return first != pause;
    }

    /// <summary>Ends the pause, if there is one. Under the pool's lock.</summary>
    public void End()
    {
        state.AssertLocked();
        _ends?.TrySetResult();
    }
}

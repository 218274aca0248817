using NzbDav.Usenet.Providers.Shares;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Runs a lane: waits until its connection is wanted, opens it or waits for the breaker, runs it to its end, and repeats. One object serves
/// all lanes of a pool; thread-safe.
/// </summary>
internal sealed class ConnectionLane(PoolState state, WantedAttempt wanted, ConnectionTrial trial, ConnectionAttempt attempt,
    ConnectionRun run, PoolShare share, Succession succession, PoolLog log)
{
    /// <summary>Time between an internal error and the lane's next attempt.</summary>
    public static readonly TimeSpan FaultPause = TimeSpan.FromSeconds(5);

    /// <summary>Runs one lane until the pool is disposed.</summary>
    public async Task RunAsync()
    {
        await Task.Yield();
        var place = share.NewPlace();
        try
        {
            while (!state.Stopping.IsCancellationRequested)
            {
                await WaitForTurnAsync(place);
                await TakeTurnAsync(place);
            }
        }
        catch (OperationCanceledException) when (state.Stopping.IsCancellationRequested)
        {
        }
    }

    /// <summary>Waits until one more connection is wanted and allowed; counts the caller as active.</summary>
    private async Task WaitForTurnAsync(SharePlace place)
    {
        while (true)
        {
            Task changed;
            lock (state.Gate)
            {
                if (!state.IsRetired && state.Active < Math.Min(state.Target, state.Limit) && trial.MayConnect() && place.TryTake())
                {
                    state.TakeTurn();
                    return;
                }

                changed = state.Changed;
            }

            await changed.WaitAsync(state.Stopping);
        }
    }

    /// <summary>Opens a connection and runs it to its end, or waits for the breaker. The lane is active meanwhile.</summary>
    private async Task TakeTurnAsync(SharePlace place)
    {
        try
        {
            if (await attempt.TryAsync(place) is var (opened, took))
                await run.RunAsync(opened, took, place);
        }
        catch (Exception e) when (e is not OperationCanceledException || !state.Stopping.IsCancellationRequested)
        {
            // An internal error ends the connection, but never the lane: nothing would restart it.
            log.Fault(e);
            lock (state.Gate)
                wanted.End();
            await Task.Delay(FaultPause, state.Time, state.Stopping);
        }
        finally
        {
            place.Return();
            succession.EndTurn();
        }
    }
}

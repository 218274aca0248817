using NzbDav.Usenet.Providers.Leases;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Runs a lane: waits until its connection is wanted, opens it or waits for the breaker, runs it to its end, and repeats. One object serves
/// all lanes of a pool; thread-safe.
/// </summary>
internal sealed class ConnectionWorker(PoolState state, DemandedDial demandedDial, ConnectionTrial trial, ConnectionAttempt attempt,
    ConnectionRun run, PoolLease lease, PoolHandover succession, PoolLog log)
{
    /// <summary>Time between an internal error and the lane's next attempt.</summary>
    public static readonly TimeSpan FaultPause = TimeSpan.FromSeconds(5);

    /// <summary>Runs one lane until the pool is disposed.</summary>
    public async Task RunAsync()
    {
        await Task.Yield();
        var place = lease.NewSlot();
        try
        {
            while (!state.Stopping.IsCancellationRequested)
            {
                await WaitUntilNeededAsync(place);
                await RunOnceAsync(place);
            }
        }
        catch (OperationCanceledException) when (state.Stopping.IsCancellationRequested)
        {
        }
    }

    /// <summary>Waits until one more connection is wanted and allowed; counts the caller as active.</summary>
    private async Task WaitUntilNeededAsync(LeasedSlot place)
    {
        while (true)
        {
            Task changed;
            lock (state.Gate)
            {
                if (!state.IsRetired && state.Active < Math.Min(state.Target, state.Limit) && trial.MayConnect() && place.TryAcquire())
                {
                    state.EnterActive();
                    return;
                }

                changed = state.Changed;
            }

            await changed.WaitAsync(state.Stopping);
        }
    }

    /// <summary>Opens a connection and runs it to its end, or waits for the breaker. The lane is active meanwhile.</summary>
    private async Task RunOnceAsync(LeasedSlot place)
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
                demandedDial.End();
            await Task.Delay(FaultPause, state.Time, state.Stopping);
        }
        finally
        {
            place.Return();
            succession.ExitActive();
        }
    }
}

using NzbDav.Content.Rates;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Checks a pool's connections once a second: dead, idle and spare ones, and whether the provider can still be used. Called by one timer,
/// outside the pool's lock.
/// </summary>
internal sealed class ConnectionWatch(
    PoolState state, PoolAvailability standing, ConnectionTrial trial, GreetingProbe probe, PoolLease lease)
{
    /// <summary>Time between two calls of <see cref="Tick"/>.</summary>
    public static readonly TimeSpan Every = TimeSpan.FromSeconds(1);

    /// <summary>Idle time after which a DATE is sent: routers forget connections after a few minutes, many servers after three.</summary>
    private static readonly TimeSpan KeepAliveAfter = TimeSpan.FromSeconds(60);

    /// <summary>
    /// A connection with a request on the wire and no byte for this long is dead; its urgent requests were hedged long before.
    /// </summary>
    private static readonly TimeSpan StallLimit = TimeSpan.FromSeconds(10);

    /// <summary>Connections above the warm floor are closed after this long without work.</summary>
    private static readonly TimeSpan SpareLimit = TimeSpan.FromMinutes(2);

    private readonly RecentRate _rate = new();

    /// <summary>Decoded bytes per second over the last four seconds. Needs no lock.</summary>
    public double Rate => _rate.Value;

    /// <summary>
    /// Closes dead connections, keeps idle ones alive, closes spare ones, reports a lost provider, and probes an unreachable one.
    /// </summary>
    public void Tick()
    {
        _rate.Look(state.Time.GetElapsedTime(0), state.Account.Bytes);
        IPooledConnection[] open;
        int spare;
        lock (state.Gate)
        {
            open = [.. state.Open];
            spare = state.Open.Count - Math.Min(state.Options.WarmFloor, state.Cap.Limit);
            if (state.Cap.Limit > state.Active && state.Target > state.Active)
                state.Signal();
        }

        foreach (var employed in open)
            Check(employed, open.Length, ref spare);
        lease.Enforce();
        state.Account.Tick();
        standing.ReportIfWorse();
        probe.ProbeIfDue();
    }

    private void Check(IPooledConnection employed, int open, ref int spare)
    {
        var (connection, time) = (employed.Wire, state.Time);
        if (time.GetElapsedTime(connection.OpenedAt) >= ConnectionTrial.ShortLife)
            trial.Served(connection);
        var silent = time.GetElapsedTime(connection.LastActivity);
        if (connection.IsBusy)
        {
            if (silent > StallLimit && time.GetElapsedTime(connection.LastSent) > StallLimit)
                connection.Close($"nothing came for {StallLimit.TotalSeconds:0} s", timedOut: true);
        }
        else if (spare > 0 && time.GetElapsedTime(connection.LastWork) > SpareLimit)
        {
            // The target may exceed the open connections where the account allows no more: closing one there would only reopen it.
            spare--;
            lock (state.Gate)
                state.Target = Math.Max(state.Options.WarmFloor, Math.Min(state.Target, open) - 1);
            employed.Ping(NntpCommand.Quit);
        }
        else if (silent > KeepAliveAfter)
        {
            employed.Ping(NntpCommand.Date);
        }
    }
}

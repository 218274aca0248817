using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers.Leases;

namespace NzbDav.Usenet.Providers;

/// <summary>Runs a connection from its login to its end. Called by lanes, outside the pool's lock.</summary>
internal sealed class ConnectionRun(PoolState state, PoolAvailability standing, ConnectionTrial trial, PoolLease lease,
    ReceiveBuffers buffers,
    ProviderTimeline? timeline, PoolLog log)
{
    /// <summary>Puts a connection in service and runs it to its end.</summary>
    /// <param name="opened">The connection, logged in; owned from here on.</param>
    /// <param name="took">How long it took to open.</param>
    /// <param name="place">Its place in the account's share.</param>
    public async Task RunAsync(NntpConnectResult opened, TimeSpan took, LeasedSlot place)
    {
        var account = state.Account;
        NntpConnection connection;
        IPooledConnection employed;
        bool first;
        lock (state.Gate)
        {
            connection = new NntpConnection(account, opened, buffers, state.Time) { Trial = trial.Number };
            employed = account.Employ(connection);
            first = !state.IsProven;
            standing.Opened();
            state.Opened(employed);
        }

        var run = connection.RunAsync(employed);
        try
        {
            timeline?.Opened(account.Number, connection, took);
            if (first)
                log.Connected();
            account.Connected(took);
            employed.Begin();
            if (state.Stopping.IsCancellationRequested)
                connection.Close("the provider is being shut down");

            // The share may have fallen while it was being opened.
            lease.Enforce();
            await run;
        }
        finally
        {
            connection.Close("an internal error");
            await run;
            try
            {
                employed.End();
            }
            finally
            {
                Ended(employed, place);
            }

            standing.ReportIfWorse();
        }

        if (connection.Fault is { } fault)
            log.Fault(fault);
        log.Ended(connection.CloseReason);
        if (trial.IsShortLived(employed))
            await trial.ServedNothingAsync(connection);
        if (!lease.IsShared || connection.WasEndedByServer)
            return;

        // Another gateway may open a connection in its place, and the server may not have seen the end of this one.
        await Task.Delay(PoolLease.CountedFor, state.Time, state.Stopping);
    }

    private void Ended(IPooledConnection employed, LeasedSlot place)
    {
        lock (state.Gate)
        {
            if (!trial.IsShortLived(employed))
                standing.OnGoodEnd();
            place.End();
            state.Closed(employed);
            timeline?.Closed(state.Account.Number, employed.Wire, employed.IsDraining, state.Open.Count);
        }
    }
}

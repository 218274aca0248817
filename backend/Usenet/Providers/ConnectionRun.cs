using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Runs a connection from its login to its end. Called by lanes, outside the pool's lock.</summary>
internal sealed class ConnectionRun(PoolState state, PoolStanding standing, ConnectionTrial trial, ReceiveBuffers buffers, ProviderTimeline? timeline, PoolLog log)
{
    /// <summary>Puts a connection in service and runs it to its end.</summary>
    /// <param name="opened">The connection, logged in; owned from here on.</param>
    /// <param name="took">How long it took to open.</param>
    public async Task RunAsync(NntpConnectResult opened, TimeSpan took)
    {
        var account = state.Account;
        NntpConnection connection;
        IEmployedConnection employed;
        bool first;
        lock (state.Gate)
        {
            connection = new NntpConnection(account, opened, buffers, state.Time) { Trial = trial.Number };
            employed = account.Employ(connection);
            first = !state.IsProven;
            standing.Opened();
            state.Opened(employed);
        }

        timeline?.Opened(account.Number, connection, took);

        if (first)
            log.Connected();
        var run = connection.RunAsync(employed);
        try
        {
            account.Connected(took);
            employed.Begin();
            if (state.Stopping.IsCancellationRequested)
                connection.Close("the provider is being shut down");
            await run;
        }
        finally
        {
            connection.Close("an internal error");
            await run;
            employed.End();
            Ended(employed);
        }

        if (connection.Fault is { } fault)
            log.Fault(fault);
        log.Ended(connection.CloseReason);
        if (trial.IsShortLived(employed))
            await trial.ServedNothingAsync(connection);
    }

    private void Ended(IEmployedConnection employed)
    {
        lock (state.Gate)
        {
            if (!trial.IsShortLived(employed))
                standing.EndedWell();
            state.Closed(employed);
            timeline?.Closed(state.Account.Number, employed.Wire, employed.IsLeaving, state.Open.Count);
        }
    }
}

namespace NzbDav.FullNzbTester.Dav;

/// <summary>Samples a gauge of the server and keeps the highest value.</summary>
/// <param name="server">The server; null when it cannot be sampled.</param>
/// <param name="gauge">Its name.</param>
/// <param name="time">The clock.</param>
internal sealed class GaugePeak(IServerMeter? server, string gauge, TimeProvider time)
{
    /// <summary>
    /// A sample costs the server about 100 KB of allocations: at this interval at most a thousandth of a byte per byte served.
    /// </summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);

    /// <summary>The highest value seen; null when the gauge is not shown.</summary>
    public double? Highest { get; private set; }

    /// <summary>Samples while the work runs.</summary>
    public async Task<T> DuringAsync<T>(Func<Task<T>> work, CancellationToken cancellationToken)
    {
        using var done = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var watching = WatchAsync(done.Token);
        try
        {
            return await work();
        }
        finally
        {
            await done.CancelAsync();
            await watching;
        }
    }

    /// <summary>Counts a page that was read anyway as a sample.</summary>
    public void Look(MetricsPage? page)
    {
        if (page?.Total(gauge) is { } value && !(value <= Highest))
            Highest = value;
    }

    private async Task WatchAsync(CancellationToken cancellationToken)
    {
        if (server is null)
            return;
        try
        {
            while (true)
            {
                await Task.Delay(Pause, time, cancellationToken);
                Look(await server.ReadMetricsAsync(cancellationToken));
            }
        }
        catch (OperationCanceledException)
        {
            // The work is done, or was cancelled, which it reports itself.
        }
    }
}

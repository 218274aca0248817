namespace NzbDav.FullNzbTester.Dav;

/// <summary>Looks at a gauge of the server every now and then, and remembers the highest value.</summary>
/// <param name="server">The server; null when there is none to look at.</param>
/// <param name="gauge">Its name.</param>
/// <param name="time">The clock.</param>
internal sealed class GaugePeak(IServerMeter? server, string gauge, TimeProvider time)
{
    /// <summary>A look costs the server some 100 KB: at this pace a thousandth of a byte for each byte that it serves, or less.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);

    /// <summary>The highest value seen; null when the gauge is not shown.</summary>
    public double? Highest { get; private set; }

    /// <summary>Does the work and watches meanwhile.</summary>
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

    /// <summary>Takes a page that was read anyway into account.</summary>
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
            // The work is done, or everything is given up: then the work says so.
        }
    }
}

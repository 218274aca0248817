using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>
/// Paused players: each reads its first MiB and then stops, keeping its connection open. At the end some continue beyond what the sockets
/// buffer, and their bytes are compared like all others.
/// </summary>
internal sealed class PausedStreams(DavReads reads, Stage stage) : IDisposable
{
    /// <summary>Bytes read before the pause.</summary>
    private const long Before = Units.MiB;

    /// <summary>Bytes read in total by a stream that continues: more than a pair of sockets buffers (<c>tcp_wmem</c> and <c>tcp_rmem</c> of
    /// Linux: 4 and 6 MiB).</summary>
    private const long Whole = 16 * Units.MiB;

    /// <summary>Streams that continue at the end.</summary>
    private const int Resumed = 8;

    private readonly CancellationTokenSource _left = new();
    private readonly List<(Task Stream, TaskCompletionSource GoOn)> _streams = [];

    /// <summary>Opens all streams.</summary>
    /// <returns>Completes when each is paused or has failed.</returns>
    public Task BeginAsync(CancellationToken cancellationToken)
    {
        var length = Math.Min(Whole, reads.Target.Length);
        var paused = new List<Task>();
        foreach (var start in SeekPlaces.Random(reads.Target.Length, length, reads.Options.Paused, variation: 11))
        {
            var (reached, goOn) = (Signal(), Signal());
            var stream = StreamAsync(start, length, reached, goOn, cancellationToken);
            paused.Add(Task.WhenAny(reached.Task, stream));
            _streams.Add((stream, goOn));
        }

        return Task.WhenAll(paused);

        static TaskCompletionSource Signal() => new(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    /// <summary>Lets some streams continue, one after the other, and ends the others.</summary>
    public async Task EndAsync()
    {
        foreach (var (stream, goOn) in _streams.Take(Resumed))
        {
            goOn.SetResult();
            await stream;
        }

        await _left.CancelAsync();
        await Task.WhenAll(_streams.Select(entry => entry.Stream));
    }

    /// <summary>After <see cref="EndAsync"/>.</summary>
    public void Dispose() => _left.Dispose();

    private async Task StreamAsync(
        long start, long length, TaskCompletionSource reached, TaskCompletionSource goOn, CancellationToken cancellationToken)
    {
        using var ends = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _left.Token);
        using var client = reads.Client();
        long came = 0;
        var request = RangeRequest.Open(start, length) with
        {
            Came = bytes => came += bytes,
            Before = async token =>
            {
                if (came < Math.Min(Before, length))
                    return;
                reached.TrySetResult();
                await goOn.Task.WaitAsync(token);
            },
        };
        try
        {
            await reads.ReadAsync(stage, client, request, ends.Token);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The stream was ended while paused.
        }
    }
}

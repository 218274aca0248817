using System.Collections.Concurrent;
using NzbDav.Content.Recording;
using NzbDav.FullNzbTester.Dav;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>
/// Makes the requests of one recorded client for one file at their recorded times, each on a connection of its own. A request that followed
/// the end of another waits for that end. The last connections whose response was read to its end stay open until disposal: a server may
/// not count the last bytes that it sent if its client closes the connection right after them.
/// </summary>
internal sealed class ReplayClient(
    DavTarget target, IArticleSource source, double speed, Func<double> now, ReplayCounts counts) : IDisposable
{
    /// <summary>A read that receives nothing for this long counts as hung. Players give up sooner.</summary>
    private static readonly TimeSpan HangLimit = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(10);

    /// <summary>Most connections that stay open.</summary>
    private const int MostOpen = 16;

    private readonly ConcurrentQueue<RangeClient> _open = new();

    /// <inheritdoc/>
    public void Dispose()
    {
        while (_open.TryDequeue(out var client))
            client.Dispose();
    }

    /// <summary>Makes all requests.</summary>
    /// <param name="requests">The requests, by time.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task RunAsync(IReadOnlyList<RecordedRequest> requests, CancellationToken cancellationToken)
    {
        var running = new List<(double End, Task Task)>();
        foreach (var request in requests)
        {
            if (request.Line.Start >= target.Length)
                continue;
            await Task.WhenAll(running.Where(other => other.End <= request.At).Select(other => other.Task));
            running.RemoveAll(other => other.Task.IsCompletedSuccessfully);
            var wait = request.At - now();
            if (wait > 0)
                await Task.Delay(TimeSpan.FromMilliseconds(wait / speed), cancellationToken);
            running.Add((request.EndedAt ?? double.MaxValue, AskAsync(request, cancellationToken)));
        }

        await Task.WhenAll(running.Select(other => other.Task));
    }

    private async Task AskAsync(RecordedRequest request, CancellationToken cancellationToken)
    {
        await Task.Yield();
        var (start, end) = (request.Line.Start!.Value, Math.Min(request.Line.End!.Value, target.Length));
        var wanted = Math.Min(end - start, request.Bytes);
        var left = wanted == 0;
        using var hang = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);

        // A client that left before it received anything leaves after the same time here. That is not a failure.
        hang.CancelAfter(left ? TimeSpan.FromMilliseconds(Math.Max(1, ((request.EndedAt ?? request.At) - request.At) / speed)) : HangLimit);
        var pace = new ReplayPace(request);
        using var check = new ReplayCheck(source, start);
        var client = new RangeClient(target, TimeProvider.System);
        var isWhole = false;
        long came = 0;
        var began = now();
        var ask = new RangeRequest(start, end == target.Length ? null : end - 1, Math.Max(1, wanted))
        {
            Came = bytes =>
            {
                came += bytes;
                hang.CancelAfter(HangLimit);
            },
            Before = async token =>
            {
                while (came >= pace.Allowed(now() - began))
                {
                    hang.CancelAfter(HangLimit);
                    await Task.Delay(Look, token);
                }

                hang.CancelAfter(HangLimit);
            },
        };
        try
        {
            var read = await client.GetAsync(ask, check, hang.Token);

            // A request that the recorded server could not serve either is not a failure.
            if (read.Fault is { } fault && request.Outcome is not (ResponseEnd.Refused or ResponseEnd.Broken) && !left)
                counts.AddFailure($"bytes {start:N0} to {start + wanted - 1:N0}: {fault}", hung: false);
            isWhole = read.Fault is null && wanted == end - start;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            if (!left)
                counts.AddFailure(
                    $"bytes {start:N0} to {start + wanted - 1:N0}: nothing arrived for {HangLimit.TotalSeconds:0} s after byte " +
                    $"{start + came:N0}", hung: true);
        }
        finally
        {
            if (isWhole)
                _open.Enqueue(client);
            else
                client.Dispose();
            if (_open.Count > MostOpen && _open.TryDequeue(out var oldest))
                oldest.Dispose();
        }

        counts.Add(check);
    }
}

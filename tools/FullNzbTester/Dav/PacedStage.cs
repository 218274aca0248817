using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>Many films at once, each at its own pace, beside paused ones: does any player wait, or receive less than the others?</summary>
internal sealed class PacedStage(DavReads reads)
{
    /// <summary>The average rate of a good film.</summary>
    private const double BytesPerSecond = 2e6;
    private const int Seconds = 10;

    /// <summary>How much a player takes from its socket at a time.</summary>
    private const int Piece = 256 << 10;

    public Task RunAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("paced streams", RunAsync, cancellationToken);

    private async Task RunAsync(Stage stage, CancellationToken cancellationToken)
    {
        var count = reads.Options.Paced;
        var each = Math.Min((long)(BytesPerSecond * Seconds), reads.Target.Length);
        var (firsts, waits) = (new ReadTimes(), new ReadTimes());
        var gate = new Lock();
        using var paused = new PausedStreams(reads, stage);
        var resting = paused.BeginAsync(cancellationToken);
        var rates = await Task.WhenAll(SeekPlaces.Random(reads.Target.Length, each, count, variation: 7).Select(async start =>
        {
            var times = new ReadTimes();
            var (rate, first) = await PlayAsync(stage, start, each, times, cancellationToken);
            lock (gate)
            {
                waits.Add(TimeSpan.FromMilliseconds(times.Slowest), times.SlowestAt);
                firsts.Add(first, start);
            }

            return rate;
        }));
        stage.Add($"{count} × 2 MB/s: longest wait, ms", new Figure("paced_longest_wait_ms", waits.Slowest));
        stage.Add("the longest for a first byte, ms", new Figure("paced_longest_first_byte_ms", firsts.Slowest));
        stage.Add("slowest / fastest over the mean", new Figure("paced_least_share_ratio", rates.Min() / rates.Average()),
            new Figure("paced_most_share_ratio", rates.Max() / rates.Average()));
        stage.Add("slowest over its pace", new Figure("paced_least_pace_ratio", rates.Min() / BytesPerSecond));
        stage.Add("server peak memory so far, MiB", new Figure("paced_server_peak_mib", reads.Server?.PeakMiB));
        stage.Limit($"a read at byte {waits.SlowestAt:N0}", waits.Slowest, reads.Options.MaxReadMs);
        await resting;
        await paused.EndAsync();
    }

    /// <returns>Bytes per second from the first byte's request on, and how long the first byte took.</returns>
    private async Task<(double Rate, TimeSpan FirstByte)> PlayAsync(
        Stage stage, long start, long length, ReadTimes times, CancellationToken cancellationToken)
    {
        var started = reads.Time.GetTimestamp();
        long came = 0;
        using var client = reads.Client();
        var request = RangeRequest.Open(start, length) with
        {
            Times = times,
            Came = bytes => came += bytes,
            Piece = Piece,
            Before = async token =>
            {
                var due = TimeSpan.FromSeconds(came / BytesPerSecond) - reads.Time.GetElapsedTime(started);
                if (due > TimeSpan.Zero)
                    await Task.Delay(due, reads.Time, token);
            },
        };
        var read = await reads.ReadAsync(stage, client, request, cancellationToken);
        return (read.Received / reads.Time.GetElapsedTime(started).TotalSeconds, read.FirstByte);
    }
}

using System.Diagnostics;
using NzbDav.Content;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Content;

/// <summary>Reads content as the product does: seeks, one pass, several at once. Every byte is compared, every read timed.</summary>
/// <param name="content">The content to read.</param>
/// <param name="reference">Its expected bytes.</param>
/// <param name="request">How much to do.</param>
/// <param name="stages">Runs the stages.</param>
/// <param name="lent">Empties the cache and counts the buffers still in use: 0 when nobody reads.</param>
internal sealed class ContentLevel(IContent content, IReference reference, ContentRequest request, StageRunner stages, Func<int> lent)
{
    private const int FirstRead = 64 << 10;

    /// <summary>Articles requested before a reader left may still arrive. A provider that has not answered by then never will.</summary>
    private static readonly TimeSpan LeakPatience = TimeSpan.FromSeconds(12);
    private static readonly TimeSpan LeakLook = TimeSpan.FromMilliseconds(50);

    private long Most => Math.Min(content.Length, request.MostBytes);

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await RunColdAsync("seek", SeekAsync, cancellationToken);
        await RunColdAsync("sequential", SequentialAsync, cancellationToken);
        await RunColdAsync("floor", FloorAsync, cancellationToken);
        await RunColdAsync("streams", StreamsAsync, cancellationToken);
        await stages.RunAsync("leases", LeasesAsync, cancellationToken);
    }

    private async Task RunColdAsync(string name, Func<Stage, CancellationToken, Task> body, CancellationToken cancellationToken)
    {
        _ = lent();
        await stages.RunAsync(name, body, cancellationToken);
    }

    private async Task SeekAsync(Stage stage, CancellationToken cancellationToken)
    {
        await using var stream = new CombinedStream(content, ReadIntent.Playback);
        var buffer = new byte[FirstRead];
        var named = new List<Figure>();
        foreach (var percent in SeekPlaces.Percents)
        {
            var one = new ReadTimes();
            await SeekOnceAsync(stage, stream, SeekPlaces.At(content.Length, percent), buffer, one, cancellationToken);
            named.Add(new Figure($"content_seek_{percent}_percent_ms", one.Mean));
        }

        SeekPlaces.AddTo(stage, named);
        var times = new ReadTimes();
        foreach (var (place, index) in SeekPlaces.Random(content.Length, FirstRead, request.Seeks).Select((place, index) => (place, index)))
        {
            await SeekOnceAsync(stage, stream, place, buffer, times, cancellationToken);
            stage.Progress((index + 1.0) / request.Seeks);
        }

        stage.Add("random seek: p50 / p95, ms", times.P50AndP95("content_seek"));
    }

    private async Task SeekOnceAsync(
        Stage stage, CombinedStream stream, long place, byte[] buffer, ReadTimes times, CancellationToken cancellationToken)
    {
        using var check = reference.Open(stage, place);
        stream.Seek(place, SeekOrigin.Begin);
        var started = stages.Time.GetTimestamp();
        var count = await stream.ReadAsync(buffer, cancellationToken);
        var took = stages.Time.GetElapsedTime(started);
        times.Add(took, place);
        check.Take(buffer.AsSpan(0, count));
        if (count == 0 && content.Length > 0)
            stage.Fail($"nothing was read at byte {place:N0}.");
        stage.Limit($"first read at byte {place:N0}", took.TotalMilliseconds, request.MaxReadMs);
    }

    private async Task SequentialAsync(Stage stage, CancellationToken cancellationToken)
    {
        var times = new ReadTimes();
        var started = stages.Time.GetTimestamp();
        await ReadAsync(stage, reference, 0, Most, times, done => stage.Progress((double)done / Most), cancellationToken);
        stage.Add(request.HasSource ? "sequential, compared, MB/s" : "sequential, MB/s",
            new Figure("content_sequential_mb_per_s", Most / Units.Mega / stages.Time.GetElapsedTime(started).TotalSeconds));
        stage.AddTimes("content", times);
        stage.Limit($"the read at byte {times.SlowestAt:N0}", times.Slowest, request.MaxReadMs);
    }

    /// <summary>The client and the decoder alone, in this process: the baseline for WebDAV.</summary>
    private async Task FloorAsync(Stage stage, CancellationToken cancellationToken)
    {
        using var self = Process.GetCurrentProcess();
        var cpu = self.TotalProcessorTime;
        var allocated = GC.GetTotalAllocatedBytes();
        var collections = GC.CollectionCount(2);
        var started = stages.Time.GetTimestamp();
        await ReadAsync(
            stage, Unchecked.Instance, 0, Most, new ReadTimes(), done => stage.Progress((double)done / Most), cancellationToken);
        var took = stages.Time.GetElapsedTime(started);
        self.Refresh();
        stage.Add("floor (bytes thrown away), MB/s", new Figure("floor_mb_per_s", Most / Units.Mega / took.TotalSeconds));
        stage.Add("floor: CPU, s per GB", new Figure("floor_cpu_s_per_gb", (self.TotalProcessorTime - cpu).TotalSeconds / (Most / 1e9)));
        stage.Add(
            "floor: allocated B per B / gen 2",
            new Figure("floor_allocated_bytes_per_byte", (double)(GC.GetTotalAllocatedBytes() - allocated) / Most),
            new Figure("floor_gen2_collections", GC.CollectionCount(2) - collections));
    }

    private async Task StreamsAsync(Stage stage, CancellationToken cancellationToken)
    {
        var (starts, each) = SeekPlaces.Apart(Most, request.Streams);
        long done = 0;
        var started = stages.Time.GetTimestamp();
        await Task.WhenAll(starts.Select(start => ReadAsync(
            stage, reference, start, start + each, new ReadTimes(), _ => stage.Progress((double)Interlocked.Read(
                ref done) / (each * request.Streams)), cancellationToken, more => Interlocked.Add(ref done, more))));
        stage.Add($"{request.Streams} streams together, MB/s",
            new Figure("content_streams_mb_per_s", each * request.Streams / Units.Mega / stages.Time.GetElapsedTime(started).TotalSeconds));
    }

    private async Task LeasesAsync(Stage stage, CancellationToken cancellationToken)
    {
        var started = stages.Time.GetTimestamp();
        while (lent() > 0 && stages.Time.GetElapsedTime(started) < LeakPatience)
            await Task.Delay(LeakLook, stages.Time, cancellationToken);
        var left = lent();
        stage.Add("buffers still lent at the end", new Figure("content_leaked_buffers", left));
        if (left > 0)
            stage.Fail(
                $"{left:N0} buffers are still lent {LeakPatience.TotalSeconds:0} s after the last reader was closed: a lease was not " +
                $"returned.");
    }

    private async Task ReadAsync(
        Stage stage, IReference against, long start, long end, ReadTimes times, Action<long> progress, CancellationToken cancellationToken,
        Action<long>? more = null)
    {
        for (var from = start; ;)
        {
            using var check = against.Open(stage, from);
            await using var reader = content.OpenReader(from, end, ReadIntent.Playback);
            var position = from;
            try
            {
                while (true)
                {
                    var asked = stages.Time.GetTimestamp();
                    using var lease = await reader.NextAsync(cancellationToken);
                    if (lease.IsEmpty)
                    {
                        if (position != end)
                            stage.Fail($"the content ended at byte {position:N0}, {end - position:N0} bytes early.");
                        return;
                    }

                    times.Add(stages.Time.GetElapsedTime(asked), position);
                    check.Take(lease.Memory.Span);
                    position += lease.Length;
                    more?.Invoke(lease.Length);
                    progress(position - start);
                }
            }
            catch (ContentException) when (request.MayBreakOff && position > from)
            {
                // Bytes of a damaged article were handed out before its checksum was known: read again from a little earlier.
                check.Forgive();
                stage.ReadAgain();
                from = Math.Max(start, position - MockPost.ArticleSize);
            }
        }
    }
}

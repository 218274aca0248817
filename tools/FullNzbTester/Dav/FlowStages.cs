using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>Long reads: one pass, several streams, many readers.</summary>
internal sealed class FlowStages(DavReads reads)
{
    /// <summary>One client, from beginning to end.</summary>
    public Task SequentialAsync(CancellationToken cancellationToken) =>
        reads.Stages.RunAsync("sequential", SequentialAsync, cancellationToken);

    /// <summary>The same without comparing, to show what comparing costs; compared with the floor.</summary>
    public Task UncomparedAsync(CancellationToken cancellationToken) =>
        reads.Stages.RunAsync("sequential, not compared", UncomparedAsync, cancellationToken);

    /// <summary>Several at once, each in its own part.</summary>
    public Task StreamsAsync(CancellationToken cancellationToken) =>
        reads.Stages.RunAsync(
            "streams", (stage, token) => TogetherAsync(stage, reads.Options.Streams, "streams", token), cancellationToken);

    /// <summary>Many readers at once.</summary>
    public Task ReadersAsync(CancellationToken cancellationToken) =>
        reads.Stages.RunAsync(
            "readers", (stage, token) => TogetherAsync(stage, reads.Options.Readers, "readers", token), cancellationToken);

    private async Task SequentialAsync(Stage stage, CancellationToken cancellationToken)
    {
        var (times, speeds) = (new ReadTimes(), new List<double>());
        var gigabytes = reads.Most * reads.Passes / 1e9;
        var before = reads.Server is null ? null : await reads.Server.ReadMetricsAsync(cancellationToken);
        var buffered = new GaugePeak(reads.Server, "nzbdav_budget_reserved_bytes", reads.Time);
        var cpu = reads.Server?.Cpu;
        var articles = await buffered.DuringAsync(() => reads.ArticlesAsync(async () =>
        {
            for (var pass = 0; pass < reads.Passes; pass++)
                speeds.Add(await PassAsync(stage, reads.Reference, times, cancellationToken));
        }, cancellationToken), cancellationToken);
        var used = reads.Server?.Cpu - cpu;
        var after = reads.Server is null ? null : await reads.Server.ReadMetricsAsync(cancellationToken);
        buffered.Look(after);

        stage.Add(reads.Options.Nzb is null ? "sequential, compared, MB/s" : "sequential, with checksums, MB/s",
            new Figure("webdav_sequential_mb_per_s", speeds.Average()));
        if (speeds.Count > 1)
            stage.Say("its passes, MB/s",
                string.Join("  ", speeds.Select(speed => speed.ToString("0", System.Globalization.CultureInfo.InvariantCulture))));
        stage.AddTimes("webdav", times);
        stage.Add("articles fetched over needed",
            new Figure("webdav_overfetch_ratio", articles / (Math.Ceiling((double)reads.Most / MockPost.ArticleSize) * reads.Passes)));
        foreach (var row in new ServerCosts(before, after, gigabytes).Rows(used, buffered.Highest / Units.MiB))
            stage.Add(row);
        stage.Limit($"the read at byte {times.SlowestAt:N0}", times.Slowest, reads.Options.MaxReadMs);
    }

    private async Task UncomparedAsync(Stage stage, CancellationToken cancellationToken) =>
        stage.Add("sequential, thrown away, MB/s",
            new Figure("webdav_uncompared_mb_per_s", await PassAsync(stage, Unchecked.Instance, null, cancellationToken)));

    private async Task<double> PassAsync(Stage stage, IReference reference, ReadTimes? times, CancellationToken cancellationToken)
    {
        long came = 0;
        using var client = reads.Client();
        var request = RangeRequest.Open(0, reads.Most)
            with
        { Times = times, Came = bytes => stage.Progress((double)(came += bytes) / reads.Most) };
        var read = await reads.ReadAsync(stage, client, request, cancellationToken, reference);
        return read.Received / Units.Mega / read.All.TotalSeconds;
    }

    private async Task TogetherAsync(Stage stage, int count, string name, CancellationToken cancellationToken)
    {
        var (starts, each) = SeekPlaces.Apart(reads.Most, count);
        long came = 0;
        var started = reads.Time.GetTimestamp();
        var all = await Task.WhenAll(starts.Select(async start =>
        {
            using var client = reads.Client();
            var request = RangeRequest.Closed(start, each)
                with
            { Came = bytes => stage.Progress((double)Interlocked.Add(ref came, bytes) / (each * count)) };
            return await reads.ReadAsync(stage, client, request, cancellationToken);
        }));
        stage.Add($"{count} {name} together, MB/s", new Figure(
            $"webdav_{name}_mb_per_s", all.Sum(read => read.Received) / Units.Mega / reads.Time.GetElapsedTime(started).TotalSeconds));
    }
}

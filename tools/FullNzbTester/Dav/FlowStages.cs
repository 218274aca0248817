namespace NzbDav.FullNzbTester;

/// <summary>Long reads: one pass, several streams, many readers.</summary>
internal sealed class FlowStages(DavReads reads)
{
    /// <summary>One client, from the beginning to the end.</summary>
    public Task SequentialAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("sequential", SequentialAsync, cancellationToken);

    /// <summary>The same without a look at the bytes: what the comparing costs, and what the floor is held against.</summary>
    public Task UncomparedAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("sequential, not compared", UncomparedAsync, cancellationToken);

    /// <summary>Several at once, at different places.</summary>
    public async Task TogetherAsync(CancellationToken cancellationToken)
    {
        await reads.Stages.RunAsync("streams", (stage, token) => TogetherAsync(stage, reads.Options.Streams, "streams", token), cancellationToken);
        if (reads.Options.Readers > 0)
            await reads.Stages.RunAsync("readers", (stage, token) => TogetherAsync(stage, reads.Options.Readers, "readers", token), cancellationToken);
    }

    private async Task SequentialAsync(Stage stage, CancellationToken cancellationToken)
    {
        var (times, speeds) = (new ReadTimes(), new List<double>());
        var gigabytes = reads.Most * reads.Passes / 1e9;
        var before = reads.Server is null ? null : await reads.Server.ReadMetricsAsync(cancellationToken);
        var cpu = reads.Server?.Cpu;
        var articles = await reads.ArticlesAsync(async () =>
        {
            for (var pass = 0; pass < reads.Passes; pass++)
                speeds.Add(await PassAsync(stage, reads.Reference, times, cancellationToken));
        }, cancellationToken);
        var used = reads.Server?.Cpu - cpu;
        var after = reads.Server is null ? null : await reads.Server.ReadMetricsAsync(cancellationToken);

        stage.Say(
            reads.Options.Nzb is null ? "sequential, compared, MB/s" : "sequential, with checksums, MB/s", speeds.Count > 1 ? $"(passes: {string.Join("  ", speeds.Select(speed => speed.ToString("0", System.Globalization.CultureInfo.InvariantCulture)))})" : "",
            new Figure("webdav_sequential_mb_per_s", speeds.Average()));
        stage.Add(
            "a read: mean / median / p95 / p99 / slowest, ms",
            new Figure("webdav_read_mean_ms", times.Mean),
            new Figure("webdav_read_median_ms", times.Quantile(0.5)),
            new Figure("webdav_read_p95_ms", times.Quantile(0.95)),
            new Figure("webdav_read_p99_ms", times.Quantile(0.99)),
            new Figure("webdav_read_slowest_ms", times.Slowest));
        stage.Add($"reads longer than {ReadTimes.StallMs:0} ms", new Figure("webdav_stalls", times.Stalls));
        stage.Add("articles fetched over needed", new Figure("webdav_overfetch_ratio", articles / (Math.Ceiling((double)reads.Most / DavReads.Article) * reads.Passes)));
        stage.Add("server CPU, s per GB", new Figure("server_cpu_s_per_gb", used?.TotalSeconds / gigabytes));
        stage.Add(
            "server: allocated bytes per byte / gen-2 collections",
            new Figure("server_allocated_bytes_per_byte", (after?.Allocated - before?.Allocated) / (gigabytes * 1e9)),
            new Figure("server_gen2_collections", after?.Gen2Collections - before?.Gen2Collections));
        foreach (var (name, delta) in after?.Since(before!) ?? [])
            stage.AddTo("inside the server, per GB of the sequential passes", name, new Figure($"server_per_gb.{name}", delta / gigabytes));
        stage.Limit($"the read at byte {times.SlowestAt:N0}", times.Slowest, reads.Options.MaxReadMs);
    }

    private async Task UncomparedAsync(Stage stage, CancellationToken cancellationToken) =>
        stage.Add("sequential, thrown away, MB/s", new Figure("webdav_uncompared_mb_per_s", await PassAsync(stage, Unchecked.Instance, null, cancellationToken)));

    private async Task<double> PassAsync(Stage stage, IReference reference, ReadTimes? times, CancellationToken cancellationToken)
    {
        long came = 0;
        using var client = reads.Client();
        var request = RangeRequest.Open(0, reads.Most) with { Times = times, Came = bytes => stage.Progress((double)(came += bytes) / reads.Most) };
        var read = await reads.ReadAsync(stage, client, request, cancellationToken, reference);
        return read.Received / DavReads.Mega / read.All.TotalSeconds;
    }

    private async Task TogetherAsync(Stage stage, int count, string name, CancellationToken cancellationToken)
    {
        // Together once the whole file, each a part of its own: none finds in memory what another one read.
        var each = reads.Most / count;
        long came = 0;
        var started = reads.Time.GetTimestamp();
        var all = await Task.WhenAll(Enumerable.Range(0, count).Select(async index =>
        {
            using var client = reads.Client();
            var request = RangeRequest.Closed(index * each, each) with { Came = bytes => stage.Progress((double)Interlocked.Add(ref came, bytes) / (each * count)) };
            return await reads.ReadAsync(stage, client, request, cancellationToken);
        }));
        stage.Add($"{count} {name} at once, together, MB/s", new Figure($"webdav_{name}_mb_per_s", all.Sum(read => read.Received) / DavReads.Mega / reads.Time.GetElapsedTime(started).TotalSeconds));
    }
}

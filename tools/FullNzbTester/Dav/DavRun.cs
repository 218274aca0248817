using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>The WebDAV stages: the real server, an import, restarts, and every kind of read.</summary>
internal sealed class DavRun(
    TesterOptions options, StageRunner stages, IReference reference, MockStats? stats, IReadOnlyDictionary<string, string> accounts,
    string config) : IAsyncDisposable
{
    private ServerProcess? _server;
    private DavTarget? _file;
    private string? _refusal;
    private double _peakMiB;

    /// <summary>Runs all stages.</summary>
    /// <param name="nzb">The .nzb to import.</param>
    /// <param name="articles">Number of articles; needed only when some are missing.</param>
    /// <param name="missing">Indexes of the missing articles; null when all are there.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task RunAsync(string nzb, int articles, IReadOnlySet<int>? missing, CancellationToken cancellationToken)
    {
        if (!await stages.RunAsync("server start", StartAsync, cancellationToken)
            || !await stages.RunAsync("import", (stage, token) => ImportAsync(stage, nzb, missing is not null, token), cancellationToken)
            || _refusal is not null)
            return;
        if (missing is not null)
        {
            await new DavHoles(Reads(), missing, articles).RunAsync(cancellationToken);
            return;
        }

        await new SeekStages(Reads()).FirstGetAsync(
            "first GET after the import", "first GET after the import, ms", "webdav_first_get_after_import_ms", cancellationToken);
        if (!await stages.RunAsync("restart", (stage, token) => RestartAsync(stage, WithoutWarmConnections(), token), cancellationToken))
            return;
        await new SeekStages(Reads()).ColdGetAsync(cancellationToken);
        if (!await stages.RunAsync("restart", RestartAsync, cancellationToken))
            return;
        Func<CancellationToken, Task>[] steps =
        [
            token => new SeekStages(Reads())
                .FirstGetAsync("first GET ever", "first GET ever after a start, ms", "webdav_first_get_ms", token),
            token => options.Corrupt > 0 ? new DamageStage(Reads()).RunAsync(token) : Task.CompletedTask,
            token => new SeekStages(Reads()).RunAsync(token),
            token => FromNothingAsync(token => new SeekStages(Reads()).FilmStartAsync(token), token),
            token => FromNothingAsync(token => new SeekStages(Reads()).BeginningAsync(token), token),

            // The random file is a film by its head alone: ffprobe could not open it.
            token => options is { File: null, Nzb: null }
                ? Task.CompletedTask : FfprobeStage.OfUrlAsync(stages, _file!.Url, _file.Authorization, token),
            ColdAsync,
            token => new FlowStages(Reads()).SequentialAsync(token),
            ColdAsync,
            token => new FlowStages(Reads()).UncomparedAsync(token),
            ColdAsync,
            token => new FlowStages(Reads()).StreamsAsync(token),
            token => options.Readers > 0 ? ColdAsync(token) : Task.CompletedTask,
            token => options.Readers > 0 ? new FlowStages(Reads()).ReadersAsync(token) : Task.CompletedTask,
            token => options.Paced > 0 ? new PacedStage(Reads()).RunAsync(token) : Task.CompletedTask,
            token => new LeaseStage(Reads()).RunAsync(token),
        ];
        foreach (var step in steps)
        {
            // If the server has ended, report that once, below.
            if (_server!.Ended is null)
                await step(cancellationToken);
        }

        await stages.RunAsync("server", EndAsync, cancellationToken);
    }

    /// <summary>The file that was read; null when there was none.</summary>
    public string? FileName => _file is null ? null : Uri.UnescapeDataString(_file.Url.Segments[^1]);

    /// <summary>Compares what was read with a second read over WebDAV after a restart. For a file that was not posted as such.</summary>
    public async Task ReadAgainAsync(IReadOnlyList<RangeRecord> ranges, CancellationToken cancellationToken)
    {
        if (await stages.RunAsync("restart", RestartAsync, cancellationToken))
            await stages.RunAsync("second read", (stage, token) => ReadAgainAsync(stage, ranges, token), cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null)
            await _server.DisposeAsync();
    }

    private DavReads Reads() => new(_file!, reference, stages, options, _server, stats);

    private async Task ReadAgainAsync(Stage stage, IReadOnlyList<RangeRecord> ranges, CancellationToken cancellationToken)
    {
        var record = new RecordingReference();
        foreach (var (range, index) in ranges.Select((range, index) => (range, index)))
        {
            using (var client = Reads().Client())
                await Reads().ReadAsync(stage, client, RangeRequest.Closed(range.Start, range.Length), cancellationToken, record);
            var right = record.Records is [.., var again]
                && (again.Start, again.Length, again.Sha256) == (range.Start, range.Length, range.Sha256);
            stage.Compared(range.Length, right ? 0 : 1);
            if (!right)
                stage.Fail($"{range.Stage}: the {range.Length:N0} bytes from {range.Start:N0} on are not those of the second read.");
            stage.Progress((index + 1.0) / ranges.Count);
        }

        stage.Say("ranges compared in two reads", "both over WebDAV, the second after a restart",
            new Figure("webdav_ranges_compared", ranges.Count));
    }

    private async Task StartAsync(Stage stage, CancellationToken cancellationToken)
    {
        var started = stages.Time.GetTimestamp();
        _server = await ServerProcess.StartAsync(config, accounts, cancellationToken);
        stage.Add("server start, ms", new Figure("server_start_ms", stages.Time.GetElapsedTime(started).TotalMilliseconds));
    }

    private async Task ImportAsync(Stage stage, string nzb, bool mayRefuse, CancellationToken cancellationToken)
    {
        var started = stages.Time.GetTimestamp();
        (_file, _refusal) = await _server!.Import().RunAsync(nzb, cancellationToken);
        stage.Add("import, PUT to readable, ms", new Figure("webdav_import_ms", stages.Time.GetElapsedTime(started).TotalMilliseconds));
        if (_refusal is not null && mayRefuse)
            stage.Say("import", $"refused, as it may be with articles gone: {_refusal}");
        else if (_refusal is not null)
            stage.Fail(_refusal);
        else if (options.Nzb is null && _file!.Length != (options.File?.Length ?? options.SizeMiB * Units.MiB))
            stage.Fail($"the file has {_file.Length:N0} bytes in the listing, which is not what was posted.");
    }

    private Task EndAsync(Stage stage, CancellationToken cancellationToken)
    {
        if (_server!.Ended is { } ended)
            stage.Fail(ended);
        else
            stage.Add("server peak memory, MiB", new Figure("server_peak_mib", Math.Max(_peakMiB, _server.PeakMiB)));
        return Task.CompletedTask;
    }

    /// <summary>Empties the server's memory by a restart if it could hold the file: reads from memory say nothing about Usenet.</summary>
    private async Task ColdAsync(CancellationToken cancellationToken)
    {
        if (!Reads().FitsInMemory)
            return;
        await stages.RunAsync("restart", RestartAsync, cancellationToken);
        await new SeekStages(Reads()).WarmUpAsync(cancellationToken);
    }

    /// <summary>Runs a stage on a server that has nothing in memory but open connections.</summary>
    private async Task FromNothingAsync(Func<CancellationToken, Task> stage, CancellationToken cancellationToken)
    {
        if (!await stages.RunAsync("restart", RestartAsync, cancellationToken))
            return;
        await new SeekStages(Reads()).WarmUpAsync(cancellationToken);
        await stage(cancellationToken);
    }

    /// <summary>Restarts the server, so that the next GET is its first.</summary>
    private Task RestartAsync(Stage stage, CancellationToken cancellationToken) => RestartAsync(stage, accounts, cancellationToken);

    /// <summary>The accounts without warm connections: the server connects only when a reader waits.</summary>
    private Dictionary<string, string> WithoutWarmConnections()
    {
        const string Host = "__Host";
        var settings = new Dictionary<string, string>(accounts, StringComparer.Ordinal);
        foreach (var name in accounts.Keys.Where(name => name.EndsWith(Host, StringComparison.OrdinalIgnoreCase)))
            settings[$"{name[..^Host.Length]}__WarmConnections"] = "0";
        return settings;
    }

    private async Task RestartAsync(Stage stage, IReadOnlyDictionary<string, string> settings, CancellationToken cancellationToken)
    {
        _peakMiB = Math.Max(_peakMiB, _server!.PeakMiB);
        await _server.DisposeAsync();
        _server = await ServerProcess.StartAsync(config, settings, cancellationToken);
        _file = await _server.Import().FindAsync(_server.Root, cancellationToken);
        if (_file is null)
            stage.Fail("the file is gone after a restart.");
    }
}

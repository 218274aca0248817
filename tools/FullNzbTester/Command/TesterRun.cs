using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Content;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Processes;
using NzbDav.FullNzbTester.Stages;
using NzbDav.MockUsenet.Faults;

namespace NzbDav.FullNzbTester.Command;

/// <summary>Runs all stages over one network: the content stream, then WebDAV, from an empty configuration.</summary>
internal sealed class TesterRun : IDisposable
{
    private const string Section = "WebDAV";

    private readonly TesterOptions _options;
    private readonly NetworkProfile _network;
    private readonly IStageDisplay _display;
    private readonly string _folder;
    private readonly RunFindings _findings = new();
    private readonly StageRunner _stages;
    private readonly HttpClient _http = new();
    private long _cutBefore;

    private TesterRun(TesterOptions options, NetworkProfile network, IStageDisplay display, string folder)
    {
        _options = options;
        _network = network;
        _display = display;
        _folder = folder;
        _stages = new StageRunner(Section, _findings, display, TimeProvider.System, TimeSpan.FromSeconds(options.StageLimitS));
    }

    private bool IsReal => _options.Nzb is not null;

    private string Nzb => _options.Nzb?.FullName ?? Path.Combine(_folder, "tester.nzb");

    private bool HasOneTimeFaults => _options.Corrupt > 0 || _options.Stall > 0;

    public static async Task<RunFindings> RunAsync(
        TesterOptions options, NetworkProfile network, IStageDisplay display, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-tester-");
        using var run = new TesterRun(options, network, display, folder.FullName);
        try
        {
            await run.RunAsync(cancellationToken);
        }
        catch (Exception e) when (e is InvalidOperationException or IOException && !cancellationToken.IsCancellationRequested)
        {
            run._findings.Fail("processes", e.Message);
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        return run._findings;
    }

    public void Dispose() => _http.Dispose();

    private async Task RunAsync(CancellationToken cancellationToken)
    {
        var mock = IsReal ? null : await MockProcess.StartAsync(_options, _network, Nzb, _http, cancellationToken);
        try
        {
            var (articles, missing) = mock is not null && _options.Missing > 0
                ? await ArticleCensus.CountAsync(Nzb, mock, cancellationToken) : (0, null);
            await ContentProcess.RunAsync(Request() with { MissingArticles = missing is null ? null : [.. missing] }, _folder,
                Accounts(mock), _display, _findings, cancellationToken);
            if (mock is not null && HasOneTimeFaults)
            {
                // Each article fails only once: a new mock makes it fail again, for the server.
                await TellFaultsAsync(mock, "content stream", cancellationToken);
                await mock.DisposeAsync();
                mock = await MockProcess.StartAsync(_options, _network, Nzb, _http, cancellationToken);
            }

            await RunDavAsync(mock, articles, missing, cancellationToken);
            if (mock is not null && HasOneTimeFaults)
                await TellFaultsAsync(mock, Section, cancellationToken);
            if (mock is not null && _network.Tls)
                await TellHandshakesAsync(mock, cancellationToken);
            AddRatios();
        }
        finally
        {
            if (mock is not null)
                await mock.DisposeAsync();
        }
    }

    private async Task RunDavAsync(MockProcess? mock, int articles, IReadOnlySet<int>? missing, CancellationToken cancellationToken)
    {
        var reference = IsReal ? new RecordingReference() : (IReference)new SourceReference(
            SourceBytes.OfPost(_options.File?.FullName, _options.SizeMiB * Units.MiB));
        await using var dav = new DavRun(_options, _stages, reference, mock?.Stats, Accounts(mock), Path.Combine(_folder, "config"));
        await dav.RunAsync(Nzb, articles, missing, cancellationToken);
        if (reference is not RecordingReference record || dav.FileName is not { } name)
            return;
        await ContentProcess.RunAsync(
            Request() with { Verify = record.Records, VerifyName = name }, _folder, Accounts(mock), _display, _findings, cancellationToken);
        if (_findings[SecondRead.Compared] is null)
            await dav.ReadAgainAsync(record.Records, cancellationToken);
    }

    private Dictionary<string, string> Accounts(MockProcess? mock) =>
        new((mock?.Account(_options.Connections) ?? ChildProcess.OwnAccounts).Concat(ChildProcess.OwnMemory), StringComparer.Ordinal);

    private ContentRequest Request() => new()
    {
        Nzb = Nzb,
        SourceFile = _options.File?.FullName,
        SourceLength = IsReal || _options.File is not null ? 0 : _options.SizeMiB * Units.MiB,
        MostBytes = _options.SizeMiB * Units.MiB,
        Seeks = _options.Seeks,
        Streams = _options.Streams,
        MaxReadMs = _options.MaxReadMs,
        StageLimitS = _options.StageLimitS,
        MayBreakOff = _options.Corrupt > 0,
        Plant = _options.Plant,
    };

    private async Task TellFaultsAsync(MockProcess mock, string section, CancellationToken cancellationToken)
    {
        var name = section == Section ? "webdav" : "content";
        var corrupt = await mock.Stats.FaultsAsync(nameof(FaultKind.Corrupt), cancellationToken);
        var stalled = await mock.Stats.FaultsAsync(nameof(FaultKind.Stall), cancellationToken);
        _findings.Add(new FigureRow(section, "articles sent damaged / stalled",
            [new Figure($"{name}_articles_sent_damaged", corrupt), new Figure($"{name}_articles_stalled", stalled)]));
        _findings.Add(new FigureRow(section, "outcome", [], _findings.WrongBytes > 0 ? "NOT all healed" : "all came right"));
        _findings.Add(
            new FigureRow(section, "reads cut and asked again", [new Figure($"{name}_reads_cut", _findings.BrokenOff - _cutBefore)]));
        _cutBefore = _findings.BrokenOff;
    }

    /// <summary>Handshakes of all processes since the mock started. The first connection of each cannot resume a session.</summary>
    private async Task TellHandshakesAsync(MockProcess mock, CancellationToken cancellationToken)
    {
        var (all, resumed) = await mock.Stats.HandshakesAsync(cancellationToken);
        _findings.Add(new FigureRow(
            Section, "TLS handshakes / resumed", [new Figure("tls_handshakes", all), new Figure("tls_handshakes_resumed", resumed)]));
    }

    private void AddRatios()
    {
        Add("WebDAV over floor: speed", "webdav_over_floor_speed_ratio",
            _findings["webdav_uncompared_mb_per_s"] / _findings["floor_mb_per_s"]);
        Add("WebDAV over floor: CPU per byte", "webdav_over_floor_cpu_ratio",
            _findings["server_cpu_s_per_gb"] / _findings["floor_cpu_s_per_gb"]);
        Add("several streams over one", "webdav_streams_over_one_ratio",
            _findings["webdav_streams_mb_per_s"] / _findings["webdav_sequential_mb_per_s"]);

        void Add(string label, string name, double? value)
        {
            if (value is not null)
                _findings.Add(new FigureRow("ratios", label, [new Figure(name, value)]));
        }
    }
}

using System.Diagnostics;
using System.Globalization;
using NzbDav.Content.Recording;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Processes;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>One replay: posts files of the recorded shape, imports them into a new server, and plays the recording against it.</summary>
internal sealed class ReplayRun : IAsyncDisposable
{
    private static readonly TimeSpan WarmLimit = TimeSpan.FromSeconds(10);

    /// <summary>Longest wait for the server's own recording, which it writes every five seconds.</summary>
    private static readonly TimeSpan RecordLimit = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(100);

    private readonly Recording _recording;
    private readonly ReplayOptions _options;
    private readonly ReplayPlan _plan;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("nzbdav-replay-");
    private readonly Dictionary<int, (RecordedFile Recorded, PostedFile Posted)> _files = [];
    private readonly List<ReplayedProvider> _providers = [];

    /// <summary>Kept until the end of the replay: their last connections stay open.</summary>
    private readonly List<ReplayClient> _clients = [];

    private ReplayRun(Recording recording, ReplayOptions options) =>
        (_recording, _options, _plan) = (recording, options, ReplayPlan.Of(recording));

    private string RecordFolder => Path.Combine(_folder.FullName, "recorded");

    /// <exception cref="InvalidOperationException">The server does not start, or refuses a post.</exception>
    public static async Task<ReplayResult> RunAsync(Recording recording, ReplayOptions options, CancellationToken cancellationToken)
    {
        await using var run = new ReplayRun(recording, options);
        return await run.RunAsync(cancellationToken);
    }

    public async ValueTask DisposeAsync()
    {
        _clients.ForEach(static client => client.Dispose());
        foreach (var provider in _providers)
            await provider.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    private async Task<ReplayResult> RunAsync(CancellationToken cancellationToken)
    {
        var store = new ArticleStore();
        foreach (var (number, file) in _plan.Files)
        {
            var name = string.Create(CultureInfo.InvariantCulture, $"file-{number}.bin");
            var film = new FilmSource(new SeededSource(1, name, ReplayPlan.LengthOf(file)));
            _files[number] = (file, store.AddFile(name, film, new PostOptions { ArticleSize = ReplayPlan.ArticleSizeOf(file) }));
        }

        foreach (var provider in _recording.Providers.Values.OrderBy(provider => provider.Number))
            _providers.Add(ReplayedProvider.Start(provider, _recording, store, _files));
        var config = Path.Combine(_folder.FullName, "config");
        await using (var importing = await StartAsync(config, record: false, cancellationToken))
            await ImportAsync(importing, cancellationToken);

        // Restarted, so that nothing of the import is in memory.
        await using var server = await StartAsync(config, record: true, cancellationToken);
        var targets = new Dictionary<int, DavTarget>();
        foreach (var number in _files.Keys)
        {
            targets[number] = await Import(server, number).FindAsync(server.Root, cancellationToken)
                ?? throw new InvalidOperationException($"file {number} of the recording is gone after a restart of the server.");
        }

        await WarmAsync(cancellationToken);
        var counts = await PlayAsync(targets, cancellationToken);
        if (server.Ended is { } ended)
            throw new InvalidOperationException($"the server ended during the replay: {ended}");
        var replayed = await ReadOwnAsync(cancellationToken);
        if (_options.Record is { } record)
            File.Copy(Directory.EnumerateFiles(RecordFolder).First(), record.FullName, overwrite: true);
        return new ReplayResult(ReplayFigures.Of(_recording, _plan), ReplayFigures.Of(replayed, ReplayPlan.Of(replayed)), counts);
    }

    private async Task<ServerProcess> StartAsync(string config, bool record, CancellationToken cancellationToken)
    {
        var settings = _providers.SelectMany((provider, index) => provider.Account(index)).Concat(ChildProcess.OwnMemory).ToDictionary();
        if (record)
            settings["NzbDav__Streams__RecordTo"] = RecordFolder;
        return await ServerProcess.StartAsync(config, settings, cancellationToken, _options.Server?.FullName);
    }

    private async Task ImportAsync(ServerProcess server, CancellationToken cancellationToken)
    {
        foreach (var (number, file) in _files)
        {
            var nzb = Path.Combine(_folder.FullName, "post.nzb");
            await File.WriteAllBytesAsync(nzb, NzbWriter.ToBytes([file.Posted]), cancellationToken);
            var (found, refusal) = await Import(server, number).RunAsync(nzb, cancellationToken);
            if (found is null || found.Length != file.Posted.Length)
                throw new InvalidOperationException(
                    $"file {number} of the recording could not be imported: {refusal ?? "its size in the listing is wrong"}");
        }
    }

    private static DavImport Import(ServerProcess server, int number) =>
        server.Import(string.Create(CultureInfo.InvariantCulture, $"replay-{number}"));

    /// <summary>Waits for warm connections: the recorded server had been running for long.</summary>
    private async Task WarmAsync(CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        while (_providers.Exists(provider => provider.Mock.Stats.ConnectionsOpen < provider.WarmConnections)
            && Stopwatch.GetElapsedTime(began) < WarmLimit)
            await Task.Delay(Look, cancellationToken);
    }

    private async Task<ReplayCounts> PlayAsync(Dictionary<int, DavTarget> targets, CancellationToken cancellationToken)
    {
        var counts = new ReplayCounts();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);

        // Before the first request there are only providers to set up: a second is enough.
        var from = Math.Max(0, _plan.Requests[0].At - 1_000);
        var began = Stopwatch.GetTimestamp();
        double Now() => from + (Stopwatch.GetElapsedTime(began).TotalMilliseconds * _options.Speed);
        var acting = _providers.Select(provider => provider.RunAsync(Now, over.Token)).ToArray();
        var playing = new List<Task>();
        foreach (var group in _plan.Requests.GroupBy(request => (request.Line.Client, request.Line.File)))
        {
            var client = new ReplayClient(
                targets[group.Key.File!.Value], _files[group.Key.File.Value].Posted.Source, _options.Speed, Now, counts);
            _clients.Add(client);
            playing.Add(client.RunAsync([.. group], cancellationToken));
        }

        await Task.WhenAll(playing);
        await over.CancelAsync();
        await Task.WhenAll(acting);
        return counts;
    }

    /// <summary>Reads the replayed server's own recording, once all requests have ended there.</summary>
    private async Task<Recording> ReadOwnAsync(CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        Recording? read = null;
        while (Stopwatch.GetElapsedTime(began) < RecordLimit)
        {
            if (Directory.Exists(RecordFolder) && Directory.EnumerateFiles(RecordFolder).FirstOrDefault() is { } path)
            {
                await using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
                if (file.Length > 0)
                    read = await TryReadAsync(file, cancellationToken);
                if (read is { Requests.Count: var count }
                    && count >= _plan.Requests.Count(request => request.Line.Start < ReplayPlan.LengthOf(
                    _plan.Files[request.Line.File!.Value])) && read.Requests.All(request => request.EndedAt is not null))
                    return read;
            }

            await Task.Delay(Look, cancellationToken);
        }

        return read
            ?? throw new InvalidOperationException("the server recorded nothing of the replay: is it a build that can record streams?");
    }

    private static async Task<Recording?> TryReadAsync(FileStream file, CancellationToken cancellationToken)
    {
        try
        {
            return await RecordingReader.ReadAsync(file, cancellationToken);
        }
        catch (RecordingException)
        {
            // The server is just creating it.
            return null;
        }
    }
}

/// <summary>What to replay, and how.</summary>
/// <param name="File">The recording.</param>
/// <param name="Speed">Divides the times between requests and between events of providers. Response times are not changed.</param>
/// <param name="Json">Where all figures are written; null: nowhere.</param>
/// <param name="Server">The <c>nzbdav.dll</c> under test; null: this program's.</param>
/// <param name="Record">Where the replayed server's own recording is kept; null: nowhere.</param>
internal sealed record ReplayOptions(FileInfo File, double Speed, FileInfo? Json, FileInfo? Server, FileInfo? Record);

/// <summary>Results of a replay.</summary>
/// <param name="Recorded">Figures of the recorded clients.</param>
/// <param name="Replayed">Figures of the replayed clients, from the replayed server's recording.</param>
/// <param name="Counts">Counts made by the replayed clients.</param>
internal sealed record ReplayResult(ReplayFigures Recorded, ReplayFigures Replayed, ReplayCounts Counts)
{
    /// <summary>True when every byte was right, no read hung, and nothing failed that succeeded in the recording.</summary>
    public bool Passed => Counts is { Wrong: 0, Hung: 0, Failed: 0 };
}

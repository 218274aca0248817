using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Faults;
using NzbDav.FullNzbTester.Findings;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Soak;

/// <summary>Many players at once for a long time, while faults come and go at two providers.</summary>
internal sealed class SoakRun(SoakOptions options, TextWriter output)
{
    /// <summary>Readers are kept warm for a while after their requests; idle threads of the pool end after about twenty seconds.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(250);

    /// <summary>Lines of the server's log to show when a read failed.</summary>
    private const int LastLines = 40;

    private readonly TimeProvider _time = TimeProvider.System;
    private readonly Lock _gate = new();
    private readonly List<string> _faults = [];
    private double _longest;
    private int _faultsInAll;

    /// <summary>Runs the soak and writes each row of the table as soon as it is known.</summary>
    public async Task<SoakResult> RunAsync(CancellationToken cancellationToken)
    {
        var bytes = FaultMatrix.MakeFilm(options.SizeMiB * (int)Units.MiB);
        var film = SourceBytes.Of(new MemorySource(bytes));
        var store = new ArticleStore();
        byte[][] nzbs = [.. PostLayout.All.Select(layout => layout.Post(store, bytes, options.ArticleSize))];
        await store.EncodeAllAsync(cancellationToken: cancellationToken);

        // Twice what the players read: each provider alone can nearly serve them all.
        await using var pair = new ProviderPair(store, options.Tls, Math.Max(8_000_000, 2L * options.Streams * options.Rate));
        var folder = Directory.CreateTempSubdirectory("nzbdav-soak-");
        try
        {
            await using var server = await ServerProcess.StartAsync(
                Path.Combine(folder.FullName, "config"), MatrixServer.Settings(pair.Accounts), cancellationToken);
            var films = new List<DavTarget>();
            foreach (var (layout, nzb) in PostLayout.All.Zip(nzbs))
                films.Add(await ImportAsync(server, folder.FullName, layout, nzb, bytes.Length, cancellationToken));
            return await RunAsync(server, pair, films, film, cancellationToken);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static async Task<DavTarget> ImportAsync(
        ServerProcess server, string folder, PostLayout layout, byte[] nzb, long length, CancellationToken cancellationToken)
    {
        var path = Path.Combine(folder, "film.nzb");
        await File.WriteAllBytesAsync(path, nzb, cancellationToken);
        var (file, refusal) = await server.Import(layout.Name).RunAsync(path, cancellationToken);
        return refusal is null && file!.Length == length ? file : throw new InvalidOperationException(
            $"{layout.Name}: {refusal ?? $"the film has {file!.Length:N0} bytes in the listing, {length:N0} were posted"}.");
    }

    private async Task<SoakResult> RunAsync(
        ServerProcess server, ProviderPair pair, List<DavTarget> films, SourceBytes film, CancellationToken cancellationToken)
    {
        SoakPlayer[] players = [.. Enumerable.Range(0, options.Streams)
            .Select(number => new SoakPlayer(number, films[number % films.Count], film, options, _time, Took))];
        foreach (var target in films)
        {
            using var first = new FilmReader(target, film, options.ArticleSize, TimeSpan.FromSeconds(options.HungS), _time);
            if (!await first.ReadAsync(0, Math.Min(target.Length, 8 * Units.MiB), came: null, before: null, cancellationToken)
                || first.Wrong > 0)
                throw new InvalidOperationException($"{target.Url}: {first.Failure ?? $"{first.Wrong:N0} wrong bytes"}, before any fault.");
        }

        var before = (await SettleAsync(server, _ => true, cancellationToken)).Sample;
        await output.WriteLineAsync(SoakTable.Head);
        await output.WriteLineAsync(SoakTable.Line("start", before));
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var work = players.Select(player => Task.Run(() => player.WatchAsync(over.Token), cancellationToken))
            .Append(new FaultWeather(pair, options.Seed, _time).RunAsync(Began, over.Token)).ToArray();
        var samples = await SampleAsync(server, players, cancellationToken);
        await over.CancelAsync();
        await Task.WhenAll(work);
        foreach (var player in players)
            player.Dispose();
        var (after, held) = await SettleAsync(server, now => SoakResult.IsAtRest(before, now), cancellationToken);
        await output.WriteLineAsync(SoakTable.Line("end", after));
        var errors = ServerLog.Errors(server.Said);
        if (players.Any(player => player.Failures.Count > 0))
        {
            foreach (var line in ServerLog.Troubles(server.Said).TakeLast(LastLines))
                await output.WriteLineAsync($"          the server's log: {line}");
        }

        return new SoakResult
        {
            Before = before,
            Samples = samples,
            After = after,
            PeakMiB = server.PeakMiB,
            Held = held,
            Received = [.. players.Select(player => player.Received)],
            LongestMs = [.. players.Select(player => player.LongestMs)],
            Wrong = players.Sum(player => player.Wrong),
            Cuts = players.Sum(player => player.Cuts),
            Jumps = players.Sum(player => player.Jumps),
            Hung = players.Sum(player => player.Hung),
            Failures = [.. players.SelectMany(player => player.Failures), .. server.Ended is { } ended
                ? [$"the server: {ended}"] : Array.Empty<string>(), .. errors.Select(line => $"the server logged: {line}")],
            Faults = _faultsInAll,
        };
    }

    private async Task<List<SoakSample>> SampleAsync(ServerProcess server, SoakPlayer[] players, CancellationToken cancellationToken)
    {
        var samples = new List<SoakSample>();
        var (began, received, last) = (_time.GetTimestamp(), 0L, TimeSpan.Zero);
        while (last < TimeSpan.FromSeconds(options.Seconds) && server.Ended is null)
        {
            await Task.Delay(options.Interval, _time, cancellationToken);
            var (at, now) = (_time.GetElapsedTime(began), players.Sum(player => player.Received));
            var sample = await SoakSample.OfAsync(server, cancellationToken)
                with
            { At = at, Rate = (now - received) / Units.Mega / (at - last).TotalSeconds };
            lock (_gate)
            {
                sample = sample with { LongestMs = _longest, Faults = [.. _faults] };
                _longest = 0;
                _faults.Clear();
            }

            samples.Add(sample);
            await output.WriteLineAsync(
                SoakTable.Line(sample.At.ToString(@"mm\:ss", System.Globalization.CultureInfo.InvariantCulture), sample));
            (received, last) = (now, at);
        }

        return samples;
    }

    /// <summary>Waits until readers have released everything and the server is at rest, at most for <see cref="Patience"/>.</summary>
    private async Task<(SoakSample Sample, IReadOnlyList<(string Name, double Value)> Held)> SettleAsync(
        ServerProcess server, Func<SoakSample, bool> isAtRest, CancellationToken cancellationToken)
    {
        var began = _time.GetTimestamp();
        while (true)
        {
            var sample = await SoakSample.OfAsync(server, cancellationToken);
            var page = await server.ReadMetricsAsync(cancellationToken);
            (string Name, double Value)[] held = [.. page?.Held().Where(gauge => gauge.Value != 0) ?? []];
            if ((held.Length == 0 && isAtRest(sample)) || _time.GetElapsedTime(began) >= Patience)
                return (sample, held);
            await Task.Delay(Look, _time, cancellationToken);
        }
    }

    private void Took(double ms)
    {
        lock (_gate)
            _longest = Math.Max(_longest, ms);
    }

    private void Began(FaultScenario fault)
    {
        lock (_gate)
        {
            _faults.Add(fault.Name);
            _faultsInAll++;
        }
    }
}

using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Findings;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>A film in one layout over one kind of connection: its providers, and its readings.</summary>
internal sealed class MatrixPost : IAsyncDisposable
{
    private readonly MatrixOptions _options;
    private readonly SourceBytes _film;
    private readonly ProviderPair _pair;
    private readonly MatrixServer _server;

    private MatrixPost(MatrixOptions options, SourceBytes film, ProviderPair pair, MatrixServer server) =>
        (_options, _film, _pair, _server) = (options, film, pair, server);

    /// <summary>Imports the film while nothing fails.</summary>
    public static async Task<MatrixPost> ImportAsync(MatrixOptions options, SourceBytes film, ArticleStore store, byte[] nzb, bool tls,
        string folder, CancellationToken cancellationToken)
    {
        var pair = new ProviderPair(store, tls);
        var post = new MatrixPost(options, film, pair, new MatrixServer(folder, pair.Accounts));
        try
        {
            await post._server.ImportAsync(nzb, film.Length, cancellationToken);
            return post;
        }
        catch
        {
            await post.DisposeAsync();
            throw;
        }
    }

    /// <summary>Reads the whole film once, on a server that has just started.</summary>
    /// <param name="streams">Number of players, each in its own part.</param>
    /// <param name="fault">The fault; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task<FilmReading> ReadAsync(int streams, FaultScenario? fault, CancellationToken cancellationToken)
    {
        _pair.Mend();
        foreach (var provider in _pair.Both)
            provider.ResetStats();
        fault?.Begin?.Invoke(_pair);
        var (server, film) = await _server.StartAsync(fault is { IsTiered: true }, cancellationToken);
        try
        {
            return await ReadAsync(server, film, streams, fault, cancellationToken);
        }
        finally
        {
            await server.DisposeAsync();
            _server.Forget();
        }
    }

    public ValueTask DisposeAsync() => _pair.DisposeAsync();

    private async Task<FilmReading> ReadAsync(
        ServerProcess server, DavTarget film, int streams, FaultScenario? fault, CancellationToken cancellationToken)
    {
        FilmReader[] readers = [.. Enumerable.Range(0, streams)
            .Select(_ => new FilmReader(film, _film, _options.ArticleSize, TimeSpan.FromSeconds(_options.HungS), TimeProvider.System))];
        var quarter = film.Length / 4;
        long came = 0;
        var began = TimeProvider.System.GetTimestamp();
        await Task.WhenAll(readers.Select((reader, index) => Task.Run(
            () =>
            {
                var (start, end) = (film.Length * index / streams, film.Length * (index + 1) / streams);
                return reader.ReadAsync(start, end - start, Came, before: null, cancellationToken);
            }, cancellationToken)));
        var took = TimeProvider.System.GetElapsedTime(began);
        var times = ReadTimes.Of(readers.Select(reader => reader.Times));
        var errors = ServerLog.Errors(server.Said);
        var reading = new FilmReading
        {
            Rate = readers.Sum(reader => reader.Received) / Units.Mega / took.TotalSeconds,
            P99 = times.Quantile(0.99) ?? 0,
            Longest = times.Slowest,
            Compared = readers.Sum(reader => reader.Received),
            Wrong = readers.Sum(reader => reader.Wrong),
            Cuts = readers.Sum(reader => reader.Cuts),
            Hung = readers.Count(reader => reader.Hung),
            Struck = Struck(),
            Restarts = errors.Count + (server.Ended is null ? 0 : 1),
            Failures = [.. readers.Select(reader => reader.Failure).OfType<string>(), .. server.Ended is { } ended
                ? [$"the server: {ended}"] : Array.Empty<string>(), .. errors.Take(3).Select(line => $"the server logged: {line}")],
        };
        foreach (var reader in readers)
            reader.Dispose();
        return reading;

        void Came(long bytes)
        {
            var now = Interlocked.Add(ref came, bytes);
            if (now >= quarter && now - bytes < quarter)
                fault?.Midway?.Invoke(_pair);
        }

        // Zero if the fault never occurred: then the cell shows nothing.
        long Struck() => (fault is { Midway: null, IsTiered: false } or null ? 0 : 1)
            + _pair.Both.Select(provider => provider.Stats)
                .Sum(stats => stats.Faults.Values.Sum() + stats.ConnectionsRefused + stats.LoginsRefused)
            + (_pair.First.RefuseBodies ? _pair.First.Stats.Commands.GetValueOrDefault("BODY") : 0);
    }
}

/// <summary>Result of one reading of a film by one or several players. Immutable.</summary>
internal sealed record FilmReading
{
    /// <summary>Megabytes per second over all players.</summary>
    public double Rate { get; init; }

    /// <summary>The 99th percentile of all reads, in milliseconds.</summary>
    public double P99 { get; init; }

    /// <summary>The longest read, in milliseconds.</summary>
    public double Longest { get; init; }

    public long Compared { get; init; }

    public long Wrong { get; init; }

    public int Cuts { get; init; }

    public int Hung { get; init; }

    /// <summary>Number of faults at both providers: BODY requests, refused connections and refused logins.</summary>
    public long Struck { get; init; }

    /// <summary>Unexpected ends of the server, and errors in its log.</summary>
    public int Restarts { get; init; }

    /// <summary>What went wrong, as text.</summary>
    public IReadOnlyList<string> Failures { get; init; } = [];
}

using System.Globalization;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Faults;

namespace NzbDav.FullNzbTester.Soak;

/// <summary>A player that watches for a while at a film's pace, seeks to another place and watches on, until the time is over.</summary>
/// <param name="number">Its number, from 0; seeds the places that it seeks to.</param>
/// <param name="target">The film on the server.</param>
/// <param name="film">The bytes of the film.</param>
/// <param name="options">Options of the soak.</param>
/// <param name="time">The clock.</param>
/// <param name="took">Called with the duration of each read, in milliseconds.</param>
internal sealed class SoakPlayer(
    int number, DavTarget target, SourceBytes film, SoakOptions options, TimeProvider time, Action<double> took) : IDisposable
{
    /// <summary>Shortest time between two seeks, in seconds of film.</summary>
    private const int Shortest = 3;
    private const int Longest = 20;

    private readonly Random _random = new((options.Seed * 1_000) + number);
    private readonly FilmReader _reader = new(target, film, options.ArticleSize, TimeSpan.FromSeconds(options.HungS), time, took);
    private readonly List<string> _failures = [];

    /// <summary>Bytes received.</summary>
    public long Received => _reader.Received;

    public long Wrong => _reader.Wrong;

    public int Cuts => _reader.Cuts;

    public int Hung { get; private set; }

    /// <summary>Number of jumps.</summary>
    public int Jumps { get; private set; }

    /// <summary>The longest read, in milliseconds.</summary>
    public double LongestMs => _reader.Times.Slowest;

    /// <summary>The 99th percentile of all reads, in milliseconds.</summary>
    public double P99Ms => _reader.Times.Quantile(0.99) ?? 0;

    public IReadOnlyList<string> Failures => _failures;

    /// <summary>Watches until the token fires.</summary>
    /// <param name="cancellationToken">Fires when the time is over.</param>
    public async Task WatchAsync(CancellationToken cancellationToken)
    {
        var opened = time.GetTimestamp();
        try
        {
            while (true)
            {
                var length = Math.Min(target.Length, (long)options.Rate * _random.Next(Shortest, Longest + 1));
                var start = _random.NextInt64(target.Length - length + 1);
                _reader.AsksToTheEnd = _random.Next(2) == 0;
                var (began, came) = (time.GetTimestamp(), 0L);
                Jumps++;
                if (await _reader.ReadAsync(start, length, bytes => came += bytes, PaceAsync, cancellationToken))
                    continue;
                Hung += _reader.Hung ? 1 : 0;
                _failures.Add(string.Create(
                    CultureInfo.InvariantCulture, $"player {number + 1} after {time.GetElapsedTime(opened):mm\\:ss}: {_reader.Failure}"));

                async Task PaceAsync(CancellationToken token)
                {
                    var due = TimeSpan.FromSeconds((double)came / options.Rate) - time.GetElapsedTime(began);
                    if (due > TimeSpan.Zero)
                        await Task.Delay(due, time, token);
                }
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // The time is over.
        }
    }

    public void Dispose() => _reader.Dispose();
}

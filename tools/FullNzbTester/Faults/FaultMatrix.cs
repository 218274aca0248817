using System.Globalization;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Processes;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>
/// Runs the matrix: for each layout, kind of connection and number of players, every fault between two readings without one.
/// </summary>
internal sealed class FaultMatrix(MatrixOptions options, TextWriter output)
{
    private readonly List<MatrixCell> _cells = [];
    private readonly TimeProvider _time = TimeProvider.System;
    private readonly long _began = TimeProvider.System.GetTimestamp();

    /// <summary>Measures all cells, and reports each as soon as it is done.</summary>
    public async Task<IReadOnlyList<MatrixCell>> RunAsync(CancellationToken cancellationToken)
    {
        var film = MakeFilm(options.SizeMiB * (int)Units.MiB);
        var source = SourceBytes.Of(new MemorySource(film));
        var folder = Directory.CreateTempSubdirectory("nzbdav-faults-");
        try
        {
            foreach (var layout in options.Layouts)
            {
                // Released before the next layout: the articles of a layout are in memory.
                var store = new ArticleStore();
                var nzb = layout.Post(store, film, options.ArticleSize);
                await store.EncodeAllAsync(cancellationToken: cancellationToken);
                foreach (var tls in options.Tls)
                {
                    await using var post = await MatrixPost.ImportAsync(
                        options, source, store, nzb, tls, Path.Combine(folder.FullName, $"{layout.Name}-{tls}"), cancellationToken);
                    foreach (var streams in options.Streams)
                        await RunAsync(post, layout, streams, tls, cancellationToken);
                }
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }

        return _cells;
    }

    /// <summary>Random bytes with the head of a Matroska film.</summary>
    public static byte[] MakeFilm(int length)
    {
        var film = new byte[length];
        new FilmSource(new SeededSource(MockPost.Seed, "film", length)).Fill(0, film);
        return film;
    }

    private async Task RunAsync(MatrixPost post, PostLayout layout, int streams, bool tls, CancellationToken cancellationToken)
    {
        var usual = await UsualAsync();
        foreach (var fault in options.Faults)
        {
            List<FilmReading> with = [await post.ReadAsync(streams, fault, cancellationToken)], without = [usual, await UsualAsync()];
            var cell = new MatrixCell(fault, layout, streams, tls, with, without);
            if (cell.FallsShort(options) && cell.Hung == 0)
            {
                for (var again = 0; again < options.Again; again++)
                {
                    with.Add(await post.ReadAsync(streams, fault, cancellationToken));
                    without.Add(await UsualAsync());
                }
            }

            usual = without[^1];
            _cells.Add(cell);
            await TellAsync(cell);
        }

        async Task<FilmReading> UsualAsync()
        {
            var reading = await post.ReadAsync(streams, fault: null, cancellationToken);
            return reading.Failures.Count == 0 && reading.Wrong == 0
                ? reading
                : throw new InvalidOperationException(
                    $"{layout.Name}, {streams} at once, without any fault: {string.Join("; ", reading.Failures)}, {reading.Wrong:N0} " +
                    $"wrong bytes.");
        }
    }

    private async Task TellAsync(MatrixCell cell)
    {
        var took = _time.GetElapsedTime(_began);
        var left = took / _cells.Count * (options.Cells - _cells.Count);
        var reading = cell.Readings[0];
        var again = cell.Readings.Count == 1
            ? "" : $"; measured {cell.Readings.Count} times: " +
            $"{string.Join(", ", cell.Readings.Select(one => one.Rate.ToString("0.0", CultureInfo.InvariantCulture)))} MB/s";
        await output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"[{_cells.Count,3}/{options.Cells}] {cell.Title}: {reading.Rate:0.0} MB/s, {cell.Ratio:0.00} of {cell.UsualRate:0.0}; a " +
            $"read p99 {cell.P99:0}, longest {cell.Longest:0} ms; {cell.Cuts} cut{again}  ({took.TotalMinutes:0} min, about " +
            $"{left.TotalMinutes:0} left)"));
        foreach (var failure in cell.Failures(options))
            await output.WriteLineAsync($"          {failure}");
    }
}

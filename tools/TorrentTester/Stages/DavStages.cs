using System.Diagnostics;
using System.Globalization;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// The same measurements over WebDAV: the server is a process of its own, the torrent is dropped into it, and every byte is compared.
/// </summary>
internal static class DavStages
{
    private const long SeekBytes = 1 << 20;

    /// <summary>
    /// Eight seeders of 10 MB/s: from the drop to the first byte, sequential, seeks alone and beside a reader, three readers.
    /// </summary>
    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        if (DotnetHost.Server is not { } server)
        {
            Console.WriteLine("dav: left out, the server is not beside this program. Run: nzbdav --test-torrent");
            return;
        }

        foreach (var trip in options.RoundTrips)
            await RunAsync(server, trip, options, add, cancellationToken);
    }

    private static async Task RunAsync(
        string assembly, double trip, TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var swarm = await SwarmProcess.StartAsync(
            8, trip, 10_000_000, StreamStages.Huge, StreamStages.PieceLength, cancellationToken);
        await using var server = await ServerProcess.StartAsync(assembly, cancellationToken);
        var watch = Stopwatch.StartNew();
        var path = await server.DropAsync(swarm.TorrentFile, swarm.Metainfo.Info.Files[0].Path, cancellationToken);
        Add("dav, drop", "listed after", watch.Elapsed.TotalMilliseconds, "ms");
        var cpu = server.Cpu;
        await using (var reader = await OpenAsync(0))
        {
            await reader.NextAsync(cancellationToken);
            Add("dav, drop", "first byte after", watch.Elapsed.TotalMilliseconds, "ms");
            watch.Restart();
            await ForAsync(reader, options.Seconds, cancellationToken);
            Add("dav, sequential", "rate", reader.Position / watch.Elapsed.TotalSeconds / 1e6, "MB/s");
            Add("dav, sequential", "server cpu", (server.Cpu - cpu).TotalSeconds / reader.Position * (1 << 30), "s/GiB");
        }

        await SeeksAsync("dav, seek alone", 1);
        await using (var beside = await OpenAsync(StreamStages.Huge / 2))
        {
            using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            await ForAsync(beside, 2, cancellationToken);
            var reading = UntilAsync(beside, stop.Token);
            await SeeksAsync("dav, seek beside a reader", 2);
            await stop.CancelAsync();
            await reading;
        }

        await ReadersAsync();
        Add("dav, in all", "server peak memory", server.PeakMemory / 1048576.0, "MiB");
        return;

        void Add(string stage, string name, double value, string unit) =>
            add(new Figure(StreamStages.Name(stage, trip), name, value, unit));

        Task<DavReader> OpenAsync(long start, long? end = null) =>
            DavReader.OpenAsync(server.Http, path, start, end, StreamStages.NewCheck(), cancellationToken);

        async Task SeeksAsync(string stage, int seed)
        {
            var random = new Random(seed);
            var times = new List<double>();
            for (var i = 0; i < options.Seeks; i++)
            {
                var start = random.NextInt64((StreamStages.Huge / 2) - SeekBytes);
                watch.Restart();
                await using (var reader = await OpenAsync(start, start + SeekBytes))
                    await reader.DrainAsync(cancellationToken);
                times.Add(watch.Elapsed.TotalMilliseconds);
                await Task.Delay(100, cancellationToken);
            }

            SeekStages.Add(StreamStages.Name(stage, trip), times, add);
        }

        async Task ReadersAsync()
        {
            var readers = new List<DavReader>();
            try
            {
                for (var i = 0; i < 3; i++)
                    readers.Add(await OpenAsync((StreamStages.Huge / 4) + (i * (2L << 30)) + 12_345));
                var from = readers.ConvertAll(static reader => reader.Position);
                watch.Restart();
                await Task.WhenAll(readers.Select(reader => ForAsync(reader, options.Seconds, cancellationToken)));
                foreach (var (i, reader) in readers.Index())
                    Add("dav, three readers", string.Create(CultureInfo.InvariantCulture, $"reader {i + 1}"),
                        (reader.Position - from[i]) / watch.Elapsed.TotalSeconds / 1e6, "MB/s");
            }
            finally
            {
                foreach (var reader in readers)
                    await reader.DisposeAsync();
            }
        }
    }

    private static async Task ForAsync(DavReader reader, double seconds, CancellationToken cancellationToken)
    {
        for (var watch = Stopwatch.StartNew(); watch.Elapsed.TotalSeconds < seconds;)
        {
            if (!await reader.NextAsync(cancellationToken))
                throw new InvalidDataException($"The answer ended at {reader.Position}.");
        }
    }

    private static async Task UntilAsync(DavReader reader, CancellationToken cancellationToken)
    {
        try
        {
            await reader.DrainAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            // The measured time is over.
        }
    }
}

using System.Diagnostics;
using System.Net.Sockets;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>One seeder with everything on disk serves one leecher, then twenty: its rate and its CPU time over a few seconds.</summary>
internal static class UploadStage
{
    private const long Size = 512L << 20;
    private const int Many = 20;

    /// <summary>Number of bytes that the comparing leecher reads.</summary>
    private const long Compared = 64L << 20;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var swarm = await SwarmProcess.StartAsync(1, 0, 0, Size, 1 << 20, cancellationToken);
        await using var ours = await SeederProcess.StartAsync(swarm, isLibtorrent: false, Many + 4, cancellationToken);
        await using var theirs = options.Libtorrent
            ? await SeederProcess.StartAsync(swarm, isLibtorrent: true, Many + 4, cancellationToken) : null;
        using (var reader = new UploadLeecher(swarm.Metainfo.Info, 3, new ByteCheck(Size, 1 << 20)))
            await Task.Factory.StartNew(
                () => reader.Run(ours.Endpoint, Compared), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        for (var round = 1; round <= 3; round++)
        {
            foreach (var leechers in new[] { 1, Many })
            {
                await MeasureAsync($"upload to {leechers}, round {round}", swarm, ours, leechers, options.Seconds, add, cancellationToken);
                if (theirs is not null)
                    await MeasureAsync(
                        $"libtorrent to {leechers}, round {round}", swarm, theirs, leechers, options.Seconds, add, cancellationToken);
            }
        }

        add(new Figure("upload", "peak memory", ours.PeakMemory / 1e6, "MB"));
        if (theirs is not null)
            add(new Figure("libtorrent", "peak memory", theirs.PeakMemory / 1e6, "MB"));
    }

    private static async Task MeasureAsync(string stage, SwarmProcess swarm, SeederProcess seeder, int count, double seconds,
        Action<Figure> add, CancellationToken cancellationToken)
    {
        var info = swarm.Metainfo.Info;
        UploadLeecher[] leechers = [
            .. Enumerable.Range(0, count).Select(number => new UploadLeecher(info, number * info.PieceCount / (count + 1), check: null))];
        Task[] running = [.. leechers.Select(leecher => Task.Factory.StartNew(
            () => leecher.Run(seeder.Endpoint, long.MaxValue), cancellationToken, TaskCreationOptions.LongRunning, TaskScheduler.Default))];
        try
        {
            // Wait until all are served and their sockets are full.
            for (var wait = Stopwatch.StartNew(); !Array.TrueForAll(leechers, static leecher => leecher.Received > 4 << 20);)
            {
                if (wait.Elapsed > TimeSpan.FromSeconds(20))
                    throw new TimeoutException(
                        $"{leechers.Count(static leecher => leecher.Received == 0)} of {count} leechers are not served.");
                await Task.Delay(20, cancellationToken);
            }

            var (cpu, kernel) = (seeder.Cpu, seeder.KernelCpu);
            var before = Array.ConvertAll(leechers, static leecher => leecher.Received);
            var clock = Stopwatch.StartNew();
            await Task.Delay(TimeSpan.FromSeconds(seconds), cancellationToken);
            var took = clock.Elapsed.TotalSeconds;
            var each = leechers.Zip(before, static (leecher, at) => (double)(leecher.Received - at)).ToArray();
            var (cpuAfter, kernelAfter) = (seeder.Cpu, seeder.KernelCpu);
            var bytes = each.Sum();
            add(new Figure(stage, "rate", bytes / took / 1e6, "MB/s"));
            add(new Figure(stage, "cpu", (cpuAfter - cpu).TotalSeconds / bytes * (1 << 30), "s/GiB"));
            add(new Figure(stage, "cpu in the kernel", (kernelAfter - kernel).TotalSeconds / bytes * (1 << 30), "s/GiB"));
            if (count > 1)
                add(new Figure(stage, "least served to most", each.Min() / each.Max(), ""));
        }
        finally
        {
            foreach (var leecher in leechers)
                leecher.Dispose();
            try
            {
                await Task.WhenAll(running);
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException or InvalidDataException)
            {
                // The leechers were told to stop.
            }
        }
    }
}

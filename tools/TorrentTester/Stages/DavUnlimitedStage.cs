using System.Diagnostics;
using System.Globalization;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// One and eight unlimited seeders, read over WebDAV by an unlimited client: only the CPU limits the rate. The measured bytes are not
/// compared; those after them are.
/// </summary>
internal static class DavUnlimitedStage
{
    /// <summary>
    /// The first seconds are reported separately: the server compiles its code, the window opens, files and buffers get their first pages.
    /// </summary>
    private const double StartSeconds = 2;

    /// <summary>Seconds of reading that are compared after the measurement.</summary>
    private const double CheckSeconds = 0.5;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        if (DotnetHost.Server is not { } server)
        {
            Console.WriteLine("dav-unlimited: left out, the server is not beside this program. Run: nzbdav --test-torrent");
            return;
        }

        foreach (var seeders in new[] { 1, 8 })
        {
            await using var swarm = await SwarmProcess.StartAsync(
                seeders, 0, 0, StreamStages.Huge, StreamStages.PieceLength, cancellationToken);
            for (var round = 1; round <= options.Rounds; round++)
            {
                var stage = string.Create(CultureInfo.InvariantCulture, $"dav, {seeders} without limit, round {round}");
                await RoundAsync(
                    server, swarm, options.Seconds, (name, value, unit) => add(new Figure(stage, name, value, unit)), cancellationToken);
            }
        }
    }

    private static async Task RoundAsync(
        string assembly, SwarmProcess swarm, double seconds, Action<string, double, string> add, CancellationToken cancellationToken)
    {
        await using var server = await ServerProcess.StartAsync(assembly, cancellationToken);
        var path = await server.DropAsync(swarm.TorrentFile, swarm.Metainfo.Info.Files[0].Path, cancellationToken);
        await using var reader = await DavReader.OpenAsync(server.Http, path, 0, end: null, StreamStages.NewCheck(), cancellationToken);
        await MeasureAsync("first two seconds", StartSeconds);
        await MeasureAsync("after that", seconds);
        await ForAsync(CheckSeconds, compare: true);
        return;

        async Task MeasureAsync(string phase, double time)
        {
            var (from, cpu, kernel, seeding, own) =
                (reader.Position, server.Cpu, server.KernelCpu, swarm.Cpu, Environment.CpuUsage.TotalTime);
            var watch = Stopwatch.StartNew();
            await ForAsync(time, compare: false);
            var gigabytes = (reader.Position - from) / 1e9;
            add($"{phase}: rate", gigabytes * 1_000 / watch.Elapsed.TotalSeconds, "MB/s");
            add($"{phase}: server cpu", (server.Cpu - cpu).TotalSeconds / gigabytes, "s/GB");
            add($"{phase}: server cpu in the kernel", (server.KernelCpu - kernel).TotalSeconds / gigabytes, "s/GB");
            add($"{phase}: seeders' cpu", (swarm.Cpu - seeding).TotalSeconds / gigabytes, "s/GB");
            add($"{phase}: client's cpu", (Environment.CpuUsage.TotalTime - own).TotalSeconds / gigabytes, "s/GB");
        }

        async Task ForAsync(double time, bool compare)
        {
            for (var spent = Stopwatch.StartNew(); spent.Elapsed.TotalSeconds < time;)
            {
                if (!await reader.NextAsync(cancellationToken, compare))
                    throw new InvalidDataException($"The answer ended at {reader.Position}.");
            }
        }
    }
}

using System.Globalization;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>The cost of a peer that sends only wrong blocks: a stream from seven seeders, with and without that peer.</summary>
internal static class PoisonStage
{
    private const int Honest = 7;
    private const long Rate = 10_000_000;
    private const double Trip = 50;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var swarm = await SwarmProcess.StartAsync(
            Honest, Trip, Rate, StreamStages.Huge, StreamStages.PieceLength, cancellationToken);
        await using var poisoner = await SwarmProcess.StartAsync(
            1, Trip, Rate, StreamStages.Huge, StreamStages.PieceLength, cancellationToken, "--corrupt", "1");
        for (var round = 1; round <= 3; round++)
        {
            var without = await OneAsync(isPoisoned: false);
            var with = await OneAsync(isPoisoned: true);
            var stage = string.Create(CultureInfo.InvariantCulture, $"{Honest} x 10 MB/s, {Trip} ms, round {round}");
            add(new Figure(stage, "without a poisoner", without, "MB/s"));
            add(new Figure(stage, "with one", with, "MB/s"));
            add(new Figure(stage, "with / without", with / without, "x"));
        }

        async Task<double> OneAsync(bool isPoisoned)
        {
            await using var bench = new Bench(1L << 30);
            var torrent = bench.Add(swarm);
            if (isPoisoned)
                torrent.AddPeers(poisoner.Peers);
            await using var reader = StreamStages.Open(torrent, swarm, 0);
            await StreamStages.ForAsync(reader, options.Seconds, cancellationToken);
            var rate = reader.Position / options.Seconds / 1e6;
            await StreamStages.ForAsync(reader, 0.2, cancellationToken, StreamStages.NewCheck());
            return rate;
        }
    }
}

using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Metadata;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// Time from adding a magnet link to its first byte, with three dead trackers (one refuses, one swallows datagrams, one accepts connections
/// and never answers) and a working one, which comes last; eight seeders 50 ms away.
/// </summary>
internal static class TrackerStage
{
    private const double Trip = 50;
    private const int Rounds = 5;
    private const long Size = 1L << 30;
    private const int PieceLength = 1 << 20;

    public static async Task RunAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var swarm = await SwarmProcess.StartAsync(8, Trip, 10_000_000, Size, PieceLength, cancellationToken);
        using var silent = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        using var mute = new TcpListener(IPAddress.Loopback, 0);
        mute.Start();
        using var refusing = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

        // Bound but not listening: nobody else can get the port, and connections are refused.
        refusing.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        string[] trackers =
        [
            $"http://{refusing.LocalEndPoint}/announce",
            $"udp://{silent.Client.LocalEndPoint}/announce",
            $"http://{mute.LocalEndpoint}/announce",
            swarm.Metainfo.Trackers[0][0].AbsoluteUri,
        ];
        await MeasureAsync("the one that works alone", trackers[^1..]);
        await MeasureAsync("after three dead ones", trackers);

        async Task MeasureAsync(string name, IEnumerable<string> asked)
        {
            var link = $"magnet:?xt=urn:btih:{swarm.Metainfo.Info.Hash}{string.Concat(asked.Select(static tracker => "&tr=" + Uri.EscapeDataString(tracker)))}";
            for (var round = 1; round <= Rounds; round++)
            {
                await using var bench = new Bench(1L << 30);
                var watch = Stopwatch.StartNew();
                var torrent = bench.Engine.Add(MagnetLink.Read(link).Value!);
                var info = await torrent.DescribeAsync(cancellationToken);
                var first = await Bench.BeginAsync(
                    torrent.Open(info.Files[0]), new ByteCheck(Size, PieceLength), PieceLength, watch, cancellationToken);
                add(new Figure($"trackers, {Trip} ms, {name}, round {round}", "first byte after", first.TotalSeconds, "s"));
            }
        }
    }
}

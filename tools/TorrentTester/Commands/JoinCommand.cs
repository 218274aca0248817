using System.CommandLine;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using NzbDav.TorrentTester.Processes;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;

namespace NzbDav.TorrentTester.Commands;

/// <summary>
/// <c>join</c>: an engine with many torrents that nobody reads. Prints "port N". Then for each line of its input it prints how long the
/// first torrent's lock was waited for since the line before, as "wait P50 P99 MOST" in microseconds. Ends when its input ends.
/// </summary>
internal static class JoinCommand
{
    public static Command Create()
    {
        var torrents = new Option<int>("--torrents") { DefaultValueFactory = _ => 1 };
        var pieces = new Option<int>("--pieces") { DefaultValueFactory = _ => 100 };
        var command = new Command("join", "Joins the swarms of many torrents.") { torrents, pieces };
        command.SetAction((parsed, cancellationToken) => RunAsync(parsed.GetValue(torrents), parsed.GetValue(pieces), cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(int torrents, int pieces, CancellationToken cancellationToken)
    {
        var options = new TorrentOptions { Listen = new IPEndPoint(IPAddress.Loopback, 0), MostPeers = 1_000, MostConnections = 20_000 };
        await using var engine = new TorrentEngine(options, TimeProvider.System);
        var first = engine.Add(Metainfo.Read(JoinedTorrent.Make(0, pieces).TorrentFile()).Value!);
        for (var number = 1; number < torrents; number++)
            engine.Add(Metainfo.Read(JoinedTorrent.Make(number, pieces).TorrentFile()).Value!);
        ConsoleLine.Write(string.Create(CultureInfo.InvariantCulture, $"port {engine.Port}"));
        var waits = new List<double>();
        using var ended = new CancellationTokenSource();
        var probe = new Thread(() => Probe(first, waits, ended.Token)) { IsBackground = true };
        while (await Console.In.ReadLineAsync(cancellationToken) is not null)
        {
            if (!probe.IsAlive)
                probe.Start();
            lock (waits)
            {
                waits.Sort();
                ConsoleLine.Write(waits.Count == 0 ? "wait 0 0 0" : string.Create(CultureInfo.InvariantCulture,
                    $"wait {waits[waits.Count / 2]:0.0} {waits[waits.Count * 99 / 100]:0.0} {waits[^1]:0.0}"));
                waits.Clear();
            }
        }

        await ended.CancelAsync();
        if (probe.IsAlive)
            probe.Join();
        return 0;
    }

    /// <summary>Reads data that the lock guards a thousand times a second, as the page does.</summary>
    private static void Probe(Torrent torrent, List<double> waits, CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            var began = Stopwatch.GetTimestamp();
            torrent.GetStatus();
            var took = Stopwatch.GetElapsedTime(began).TotalMicroseconds;
            lock (waits)
                waits.Add(took);
            cancellationToken.WaitHandle.WaitOne(1);
        }
    }
}

/// <summary>Writes lines for the parent process.</summary>
internal static class ConsoleLine
{
    /// <summary>Writes a line to standard output at once.</summary>
    public static void Write(string line)
    {
        Console.WriteLine(line);
        Console.Out.Flush();
    }
}

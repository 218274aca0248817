using System.Buffers.Binary;
using System.Diagnostics;
using System.Net.Sockets;
using System.Text;
using NzbDav.Torrents.Metadata;
using NzbDav.TorrentTester.Findings;
using NzbDav.TorrentTester.Processes;

namespace NzbDav.TorrentTester.Stages;

/// <summary>Many peers that serve nothing: two hundred busy ones, and ten thousand silent ones of two hundred torrents.</summary>
internal static class CrowdStages
{
    private const int Talkers = 200;
    private const int TalkPieces = 2_000;
    private const int Torrents = 200;
    private const int PeersOfEach = 50;
    private const int SilentPieces = 100;

    /// <summary>Connections opened at the same time: the engine reads a hundred handshakes at a time.</summary>
    private const int Dials = 40;

    /// <summary>Each peer announces five pieces a second, and chokes or unchokes once: as in a swarm of 200 that exchanges 250 MB/s in
    /// pieces of 256 KiB.</summary>
    public static async Task ChurnAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var engine = await JoinProcess.StartAsync(1, TalkPieces, cancellationToken);
        var hash = new InfoHash(JoinedTorrent.Make(0, TalkPieces).Hash.Span);
        var peers = await ConnectAsync(engine, Enumerable.Repeat(hash, Talkers), cancellationToken);
        try
        {
            await engine.WaitsAsync(cancellationToken);

            // Not measured: in its first seconds a process compiles its code.
            await TalkAsync(engine, peers, talks: true, 5, cancellationToken);
            var quiet = await TalkAsync(engine, peers, talks: false, 2, cancellationToken);
            var busy = await TalkAsync(engine, peers, talks: true, Math.Max(options.Seconds, 4), cancellationToken);
            foreach (var (name, (cpu, waits)) in new[] { ("200 peers, silent", quiet), ("200 peers, 1,200 messages/s", busy) })
            {
                add(new Figure(name, "cpu", 100 * cpu, "% of a core"));
                add(new Figure(name, "wait for the lock, p50", waits[0], "us"));
                add(new Figure(name, "wait for the lock, p99", waits[1], "us"));
                add(new Figure(name, "wait for the lock, most", waits[2], "us"));
            }
        }
        finally
        {
            peers.ForEach(static peer => peer.Dispose());
        }
    }

    /// <summary>Measures memory and descriptors.</summary>
    public static async Task CrowdAsync(TesterOptions options, Action<Figure> add, CancellationToken cancellationToken)
    {
        await using var engine = await JoinProcess.StartAsync(Torrents, SilentPieces, cancellationToken);
        await Task.Delay(TimeSpan.FromSeconds(2), cancellationToken);
        Report("200 torrents without peers");
        InfoHash[] hashes = [
            .. Enumerable.Range(0, Torrents).Select(static number => new InfoHash(JoinedTorrent.Make(number, SilentPieces).Hash.Span))];
        var peers = await ConnectAsync(engine, Enumerable.Range(0, PeersOfEach).SelectMany(_ => hashes), cancellationToken);
        try
        {
            // Peer exchange names the peers to each other, and buffers that are not needed are released.
            await Task.Delay(TimeSpan.FromSeconds(10), cancellationToken);
            Report("200 torrents x 50 silent peers");
            var before = engine.Cpu;
            await Task.Delay(TimeSpan.FromSeconds(5), cancellationToken);
            add(new Figure("200 torrents x 50 silent peers", "cpu", (engine.Cpu - before).TotalSeconds / 5 * 100, "% of a core"));
        }
        finally
        {
            peers.ForEach(static peer => peer.Dispose());
        }

        void Report(string stage)
        {
            add(new Figure(stage, "memory", engine.Memory / 1e6, "MB"));
            add(new Figure(stage, "descriptors", engine.Descriptors, ""));
        }
    }

    private static async Task<List<Socket>> ConnectAsync(
        JoinProcess engine, IEnumerable<InfoHash> hashes, CancellationToken cancellationToken)
    {
        var peers = new List<Socket>();
        foreach (var group in hashes.Chunk(Dials))
        {
            peers.AddRange(await Task.WhenAll(group.Select(async hash =>
            {
                var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                await socket.ConnectAsync(engine.Endpoint, cancellationToken);
                await socket.SendAsync(Hello(hash), cancellationToken);

                // The engine's handshake means that it has accepted this peer.
                var answer = new byte[68];
                for (var filled = 0; filled < answer.Length;)
                {
                    var count = await socket.ReceiveAsync(answer.AsMemory(filled), cancellationToken);
                    filled += count > 0 ? count : throw new InvalidDataException("The engine hung up.");
                }

                return socket;
            })));
        }

        return peers;
    }

    /// <summary>Handshake with BEP 6 and 10, an extension handshake with peer exchange, and "have none".</summary>
    private static byte[] Hello(InfoHash hash)
    {
        var said = Encoding.ASCII.GetBytes(
            "d1:md6:ut_pexi1ee1:pi" + Random.Shared.Next(1_024, 65_535).ToString(System.Globalization.CultureInfo.InvariantCulture) + "ee");
        var hello = new byte[68 + 6 + said.Length + 5];
        hello[0] = 19;
        "BitTorrent protocol"u8.CopyTo(hello.AsSpan(1));
        hello[25] = 16;
        hello[27] = 4;
        hash.CopyTo(hello.AsSpan(28));
        Random.Shared.NextBytes(hello.AsSpan(48, 20));

        // BEP 6: "have none" comes first.
        hello[71] = 1;
        hello[72] = 15;
        BinaryPrimitives.WriteInt32BigEndian(hello.AsSpan(73), 2 + said.Length);
        hello[77] = 20;
        said.CopyTo(hello, 79);
        return hello;
    }

    private static async Task<(double Cpu, double[] Waits)> TalkAsync(
        JoinProcess engine, List<Socket> peers, bool talks, double seconds, CancellationToken cancellationToken)
    {
        await engine.WaitsAsync(cancellationToken);
        var (cpu, clock) = (engine.Cpu, Stopwatch.StartNew());
        var drain = new byte[64 << 10];
        var message = new byte[9];
        message[3] = 5;
        message[4] = 4;
        for (var step = 0; clock.Elapsed.TotalSeconds < seconds; step++)
        {
            // One round over all peers takes a fifth of a second, in groups of ten.
            for (var lot = 0; lot < peers.Count; lot += 10)
            {
                for (var i = lot; talks && i < lot + 10; i++)
                {
                    BinaryPrimitives.WriteInt32BigEndian(message.AsSpan(5), ((step * 7) + i) % TalkPieces);
                    await peers[i].SendAsync(message, cancellationToken);
                    if ((step + i) % 5 == 0)
                        await peers[i].SendAsync(new byte[] { 0, 0, 0, 1, (byte)((step + i) / 5 % 2) }, cancellationToken);
                }

                var due = TimeSpan.FromSeconds((step * 0.2) + (0.2 * (lot + 10) / peers.Count));
                if (due > clock.Elapsed)
                    await Task.Delay(due - clock.Elapsed, cancellationToken);
            }

            foreach (var peer in peers)
            {
                while (peer.Available > 0)
                    await peer.ReceiveAsync(drain, cancellationToken);
            }
        }

        var took = clock.Elapsed;
        var used = engine.Cpu - cpu;
        return (used / took, await engine.WaitsAsync(cancellationToken));
    }
}

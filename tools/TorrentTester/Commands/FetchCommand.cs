using System.CommandLine;
using System.Globalization;
using System.Net;
using NzbDav.Content;
using NzbDav.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.TorrentTester.Commands;

/// <summary>
/// <c>fetch</c>: downloads a torrent or a magnet link from real peers into a folder, file by file through the engine's readers, and serves
/// it afterwards on request. Prints "port N" when it listens and "done" when all files are written.
/// </summary>
internal static class FetchCommand
{
    private static readonly TimeSpan TellEvery = TimeSpan.FromSeconds(2);

    // Long, because the caller decides when it has taken too long: finding a peer that announces itself to the DHT may take minutes.
    private static readonly TimeSpan ReaderPatience = TimeSpan.FromMinutes(15);

    public static Command Create()
    {
        var source = new Argument<string>("SOURCE") { Description = "A .torrent file or a magnet link" };
        var peers = new Option<string[]>("--peer") { Description = "Address and port of a peer", AllowMultipleArgumentsPerToken = true };
        var output = new Option<DirectoryInfo?>("--out") { Description = "Write the files below this folder" };
        var cache = new Option<DirectoryInfo?>("--cache") { Description = "Keep pieces here" };
        var encryption = new Option<EncryptionPolicy>("--encryption") { Description = "prefer, require or off" };
        var bind = new Option<string?>("--bind") { Description = "Use only this address or interface" };
        var serve = new Option<bool>("--serve") { Description = "Serve until standard input is closed" };
        var slots = new Option<int>("--slots")
        { Description = "Peers served at the same time", DefaultValueFactory = _ => new TorrentOptions().UploadSlots };
        var local = new Option<bool>("--local") { Description = "Find peers in the local network (BEP 14)" };
        var dht = new Option<string[]>("--dht")
        {
            Description = "Find peers in the distributed hash table, entered through these nodes",
            AllowMultipleArgumentsPerToken = true
        };
        var alone = new Option<bool>("--no-exchange") { Description = "Neither name peers to others nor use what they name (BEP 11)" };
        var utp = new Option<UtpPolicy>("--utp") { Description = "dial, on or off (BEP 29)" };
        var idle = new Option<bool>("--idle") { Description = "Join, fetch nothing, and stay until standard input is closed" };
        var listen = new Option<string>("--listen") { Description = "Address for peers", DefaultValueFactory = _ => "0.0.0.0" };
        var map = new Option<bool>("--map") { Description = "Ask the router to forward the port" };
        var command = new Command("fetch", "Downloads from real peers, and serves them.")
        {
            source, peers, output, cache, encryption, bind, serve, slots, local, dht, alone, utp, idle, listen, map,
        };
        command.SetAction((parsed, cancellationToken) => RunAsync(
            parsed.GetRequiredValue(source),
            parsed.GetValue(peers) ?? [],
            parsed.GetValue(output),
            parsed.GetValue(serve),
            parsed.GetValue(idle),
            new TorrentOptions
            {
                Listen = new IPEndPoint(IPAddress.Parse(parsed.GetRequiredValue(listen)), 0),
                CacheFolder = parsed.GetValue(cache)?.FullName,
                CacheBytes = 16L << 30,
                ReaderTimeout = ReaderPatience,
                UploadSlots = parsed.GetValue(slots),
                LocalDiscovery = parsed.GetValue(local),
                Dht = parsed.GetValue(dht) is { Length: > 0 },
                DhtBootstrap = parsed.GetValue(dht) ?? [],
                PeerExchange = !parsed.GetValue(alone),
                Utp = parsed.GetValue(utp),
                Encryption = parsed.GetValue(encryption),
                Bind = parsed.GetValue(bind),
                PortMapping = parsed.GetValue(map),
            },
            cancellationToken));
        return command;
    }

    private static async Task<int> RunAsync(string source, string[] peers, DirectoryInfo? output, bool serve, bool idle,
        TorrentOptions options, CancellationToken cancellationToken)
    {
        await using var engine = new TorrentEngine(options, TimeProvider.System, notice: ConsoleLine.Write);
        ConsoleLine.Write(string.Create(CultureInfo.InvariantCulture, $"port {engine.Port}"));
        var torrent = await AddAsync(engine, source, cancellationToken);
        if (torrent is null)
            return 1;
        torrent.AddPeers(peers.Select(IPEndPoint.Parse));

        // Shows why nothing arrives.
        await using var telling = new Timer(static state => Tell((Torrent)state!), torrent, TellEvery, TellEvery);
        var info = await torrent.DescribeAsync(cancellationToken);

        // Pieces to serve must be kept on disk, however quickly they arrive.
        torrent.FetchAll(serve && options.CacheFolder is not null);
        IReadOnlyList<PeerStatus> joined = [];
        foreach (var file in info.Files.Where(file => !file.IsPadding && !idle))
        {
            var path = output is null ? null : Path.Combine(output.FullName, file.Path);
            await WriteAsync(
                torrent.Open(file), path, () => joined = joined is [] ? torrent.GetDetails().Peers : joined, cancellationToken);
        }

        // A seeder may leave as soon as we have everything.
        joined = torrent.GetDetails().Peers is { Count: > 0 } present ? present : joined;
        ConsoleLine.Write("encryption " + string.Join(' ', joined.Select(static peer => peer.Encryption)));
        ConsoleLine.Write("transport " + string.Join(' ', joined.Select(static peer => peer.IsUtp ? "utp" : "tcp")));
        var bytes = torrent.GetStatus().Bytes;
        ConsoleLine.Write(string.Create(CultureInfo.InvariantCulture,
            $"payload {bytes.Payload} failed {bytes.Failed} duplicate {bytes.Duplicate} discarded {bytes.Discarded}"));
        ConsoleLine.Write("done");
        var buffer = new byte[64];
        while ((serve || idle) && await Console.OpenStandardInput().ReadAsync(buffer, cancellationToken) > 0)
        {
        }

        return 0;
    }

    private static async Task<Torrent?> AddAsync(TorrentEngine engine, string source, CancellationToken cancellationToken)
    {
        if (source.StartsWith("magnet:", StringComparison.OrdinalIgnoreCase))
        {
            var link = MagnetLink.Read(source);
            if (link.Succeeded)
                return engine.Add(link.Value);
            await Console.Error.WriteLineAsync(link.Error);
            return null;
        }

        var file = Metainfo.Read(await File.ReadAllBytesAsync(source, cancellationToken));
        if (file.Succeeded)
            return engine.Add(file.Value);
        await Console.Error.WriteLineAsync(file.Error);
        return null;
    }

    private static async Task WriteAsync(IContent content, string? path, Action arrived, CancellationToken cancellationToken)
    {
        if (path is not null)
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        await using var target = path is null ? Stream.Null : File.Create(path);
        await using var reader = content.OpenReader(0, content.Length, ReadIntent.Download);
        while (true)
        {
            using var lease = await reader.NextAsync(cancellationToken);
            if (lease.IsEmpty)
                return;
            arrived();
            await target.WriteAsync(lease.Memory, cancellationToken);
        }
    }

    private static void Tell(Torrent torrent)
    {
        var status = torrent.GetStatus();
        Console.Error.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"described {status.IsDescribed}, peers {status.Peers}, pieces {status.Have} of {status.Pieces}, received " +
            $"{status.Bytes.Received}; last to leave: {status.LastDisconnectReason ?? "nobody"}; {torrent.LastStatus.Reason}"));
    }
}

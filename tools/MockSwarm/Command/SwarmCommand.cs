using System.CommandLine;
using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.MockSwarm.Contents;
using NzbDav.MockSwarm.Seeders;
using NzbDav.MockSwarm.Swarms;
using NzbDav.Mocks;

namespace NzbDav.MockSwarm.Command;

/// <summary>The options of <c>nzbdav-mock-swarm</c>, and the command that uses them.</summary>
internal sealed class SwarmCommand
{
    private readonly Option<int> _seeders = new("--seeders") { Description = "How many seeders to run", DefaultValueFactory = _ => 1 };
    private readonly Option<double> _roundTrip = new("--rtt") { Description = "Round trip in milliseconds" };
    private readonly Option<long> _rate = ByteOption.Create("--rate", "Bytes per second of each seeder, with K, M or G; 0 = no limit");
    private readonly Option<long> _size = ByteOption.Create("--size", "Bytes of the one file, with K, M or G", 100 << 20);
    private readonly Option<long> _pieceLength = ByteOption.Create("--piece-length", "Bytes per piece, with K, M or G", 1 << 20);
    private readonly Option<string> _name = new("--name") { Description = "Name of the torrent", DefaultValueFactory = _ => "mock.bin" };
    private readonly Option<int> _files = new("--files")
    { Description = "Split the bytes into this many files", DefaultValueFactory = _ => 1 };
    private readonly Option<long> _infoPadding = ByteOption.Create(
        "--info-padding", "Bytes of a meaningless key in the info dictionary, with K, M or G");
    private readonly Option<ulong> _seed = new("--seed") { Description = "Seed of the bytes and the faults", DefaultValueFactory = _ => 1 };
    private readonly Option<int> _requestQueue = new("--reqq")
    { Description = "Requests that a seeder queues", DefaultValueFactory = _ => 2_000 };
    private readonly Option<double> _corrupt = new("--corrupt") { Description = "Share of blocks (0 to 1) with a byte changed" };
    private readonly Option<double> _drop = new("--drop") { Description = "Share of requests (0 to 1) that are never answered" };
    private readonly Option<int> _chokeAfter = new("--choke-after") { Description = "Choke for 50 ms after this many blocks" };
    private readonly Option<bool> _slow = new("--no-fast") { Description = "Do without the fast extension (BEP 6)" };
    private readonly Option<FileInfo?> _torrentOut = new("--torrent-out") { Description = "Write the .torrent file here" };
    private readonly Option<DirectoryInfo?> _filesOut = new("--files-out") { Description = "Write the shared files below this folder" };
    private readonly Option<bool> _exitWithStdin = new("--exit-with-stdin") { Description = "Exit when standard input is closed" };

    public RootCommand Create()
    {
        var root = new RootCommand("A swarm of seeders and a tracker for tests and measurements.")
        {
            _seeders, _roundTrip, _rate, _size, _pieceLength, _name, _files, _infoPadding, _seed, _requestQueue, _corrupt, _drop,
                _chokeAfter, _slow,
            _torrentOut, _filesOut, _exitWithStdin,
        };
        root.SetAction(RunAsync);
        return root;
    }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var torrent = MakeTorrent(parsed);
        var options = Options(parsed);
        await using var swarm = new Swarm(torrent, [.. Enumerable.Repeat(options, parsed.GetValue(_seeders))]);
        if (parsed.GetValue(_torrentOut) is { } file)
            await File.WriteAllBytesAsync(file.FullName, torrent.TorrentFile(swarm.Tracker.Url), cancellationToken);
        if (parsed.GetValue(_filesOut) is { } folder)
            await torrent.WriteFilesAsync(folder.FullName, cancellationToken);
        var ready = new ReadyLine(
            true, [.. swarm.Endpoints.Select(static endpoint => endpoint.Port)], swarm.Tracker.Url, swarm.Magnet, torrent.HashText);
        await Console.Out.WriteLineAsync(JsonSerializer.Serialize(ready, ReadyJson.Default.ReadyLine));
        await Console.Out.FlushAsync(cancellationToken);
        try
        {
            await UntilStoppedAsync(parsed.GetValue(_exitWithStdin), cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // A stop signal.
        }

        return 0;
    }

    private MockTorrent MakeTorrent(ParseResult parsed)
    {
        var name = parsed.GetRequiredValue(_name);
        var size = parsed.GetValue(_size);
        var count = parsed.GetValue(_files);
        var files = new List<SwarmFile>();
        for (var i = 0; i < count; i++)
            files.Add(new SwarmFile(count == 1 ? name : $"part{i + 1}.bin", (size * (i + 1) / count) - (size * i / count)));
        var content = SwarmContent.Make(parsed.GetValue(_seed), (int)parsed.GetValue(_pieceLength), files);
        return new MockTorrent(name, content, infoPadding: (int)parsed.GetValue(_infoPadding));
    }

    private SeederOptions Options(ParseResult parsed)
    {
        var corrupt = parsed.GetValue(_corrupt);
        var drop = parsed.GetValue(_drop);
        var random = new Random(unchecked((int)parsed.GetValue(_seed)));
        return new SeederOptions
        {
            RoundTrip = TimeSpan.FromMilliseconds(parsed.GetValue(_roundTrip)),
            Rate = parsed.GetValue(_rate),
            RequestQueue = parsed.GetValue(_requestQueue),
            ChokeAfter = parsed.GetValue(_chokeAfter),
            Fast = !parsed.GetValue(_slow),
            Act = corrupt + drop == 0 ? null : _ => Draw(random, corrupt, drop),
        };
    }

    private static BlockAction Draw(Random random, double corrupt, double drop)
    {
        double drawn;
        lock (random)
            drawn = random.NextDouble();
        if (drawn < corrupt)
            return BlockAction.Corrupt;
        return drawn < corrupt + drop ? BlockAction.Drop : BlockAction.Serve;
    }

    private static async Task UntilStoppedAsync(bool withInput, CancellationToken cancellationToken)
    {
        if (!withInput)
        {
            await Task.Delay(Timeout.Infinite, cancellationToken);
            return;
        }

        // A console read cannot be cancelled: after a stop signal it is abandoned.
        var input = Console.OpenStandardInput();
        var buffer = new byte[256];
        while (await input.ReadAsync(buffer, cancellationToken).AsTask().WaitAsync(cancellationToken) > 0)
        {
        }
    }
}

/// <summary>The line of JSON that the process prints when it is ready.</summary>
/// <param name="Ready">Always true.</param>
/// <param name="Ports">The seeders' ports, in order.</param>
/// <param name="Tracker">The announce address.</param>
/// <param name="Magnet">A magnet link that names the seeders.</param>
/// <param name="Hash">The info-hash.</param>
internal sealed record ReadyLine(bool Ready, IReadOnlyList<int> Ports, string Tracker, string Magnet, string Hash);

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ReadyLine))]
internal sealed partial class ReadyJson : JsonSerializerContext;

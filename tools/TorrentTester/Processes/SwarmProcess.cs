using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using NzbDav.Torrents.Metadata;

namespace NzbDav.TorrentTester.Processes;

/// <summary>The mock swarm in a process of its own, so that its work is not attributed to the engine.</summary>
internal sealed class SwarmProcess : MeteredProcess
{
    private readonly string _torrentFile;

    private SwarmProcess(Process process, string torrentFile, IReadOnlyList<IPEndPoint> peers)
        : base(process)
    {
        _torrentFile = torrentFile;
        Peers = peers;
        TorrentFile = File.ReadAllBytes(torrentFile);
        Metainfo = Metainfo.Read(TorrentFile).Value
            ?? throw new InvalidDataException("The mock swarm wrote a torrent that cannot be read.");
    }

    /// <summary>The .torrent, which names the tracker.</summary>
    public byte[] TorrentFile { get; }

    public Metainfo Metainfo { get; }

    public IReadOnlyList<IPEndPoint> Peers { get; }

    /// <summary>Starts it and waits until it serves.</summary>
    public static async Task<SwarmProcess> StartAsync(
        int seeders, double roundTrip, long rate, long size, long pieceLength, CancellationToken cancellationToken, params string[] more)
    {
        var torrentFile = Path.Combine(Path.GetTempPath(), $"nzbdav-swarm-{Guid.NewGuid():N}.torrent");
        var start = DotnetHost.Swarm(
        [
            "--seeders", Text(seeders), "--rtt", Text(roundTrip), "--rate", Text(rate),
            "--size", Text(size), "--piece-length", Text(pieceLength), "--torrent-out", torrentFile, "--exit-with-stdin", .. more,
        ]);
        var process = Process.Start(start) ?? throw new InvalidOperationException("The mock swarm could not be started.");
        var line = await process.StandardOutput.ReadLineAsync(cancellationToken)
            ?? throw new InvalidOperationException("The mock swarm ended at once.");
        using var ready = JsonDocument.Parse(line);
        var ports = ready.RootElement.GetProperty("ports").EnumerateArray()
            .Select(static port => new IPEndPoint(IPAddress.Loopback, port.GetInt32()));
        return new SwarmProcess(process, torrentFile, [.. ports]);
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        File.Delete(_torrentFile);
    }

    private static string Text(IConvertible value) => value.ToString(CultureInfo.InvariantCulture);
}

using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text.Json;
using NzbDav.Torrents.Metadata;

namespace NzbDav.TorrentTester;

/// <summary>The mock swarm in a process of its own, so that its work is not counted as the engine's.</summary>
internal sealed class SwarmProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly string _torrentFile;

    private SwarmProcess(Process process, string torrentFile, IReadOnlyList<IPEndPoint> peers)
    {
        _process = process;
        _torrentFile = torrentFile;
        Peers = peers;
        TorrentFile = File.ReadAllBytes(torrentFile);
        Metainfo = Metainfo.Read(TorrentFile).Value ?? throw new InvalidDataException("The mock swarm wrote a torrent that cannot be read.");
    }

    /// <summary>The .torrent, which names the tracker.</summary>
    public byte[] TorrentFile { get; }

    public Metainfo Metainfo { get; }

    public IReadOnlyList<IPEndPoint> Peers { get; }

    /// <summary>CPU time of the process so far.</summary>
    public TimeSpan Cpu
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    /// <summary>Starts it and waits until it serves.</summary>
    public static async Task<SwarmProcess> StartAsync(int seeders, double roundTrip, long rate, long size, long pieceLength, CancellationToken cancellationToken, params string[] more)
    {
        var torrentFile = Path.Combine(Path.GetTempPath(), $"nzbdav-swarm-{Guid.NewGuid():N}.torrent");
        var start = new ProcessStartInfo(DotnetHost.Muxer)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        string[] arguments =
        [
            "exec", Path.Combine(AppContext.BaseDirectory, "nzbdav-mock-swarm.dll"), "--seeders", Text(seeders), "--rtt", Text(roundTrip), "--rate", Text(rate),
            "--size", Text(size), "--piece-length", Text(pieceLength), "--torrent-out", torrentFile, "--exit-with-stdin", .. more,
        ];
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        var process = Process.Start(start) ?? throw new InvalidOperationException("The mock swarm does not start.");
        var line = await process.StandardOutput.ReadLineAsync(cancellationToken) ?? throw new InvalidOperationException("The mock swarm ended at once.");
        using var ready = JsonDocument.Parse(line);
        var ports = ready.RootElement.GetProperty("ports").EnumerateArray().Select(static port => new IPEndPoint(IPAddress.Loopback, port.GetInt32()));
        return new SwarmProcess(process, torrentFile, [.. ports]);
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
        File.Delete(_torrentFile);
    }

    private static string Text(IConvertible value) => value.ToString(CultureInfo.InvariantCulture);
}

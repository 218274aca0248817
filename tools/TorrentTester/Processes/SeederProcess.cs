using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace NzbDav.TorrentTester.Processes;

/// <summary>
/// A seeder in a process of its own: our engine, or Debian's libtorrent. It first downloads the torrent from the mock swarm to disk.
/// </summary>
internal sealed class SeederProcess : MeteredProcess
{
    private readonly DirectoryInfo _folder;

    private SeederProcess(Process process, DirectoryInfo folder, IPEndPoint endpoint)
        : base(process)
    {
        _folder = folder;
        Endpoint = endpoint;
    }

    /// <summary>The address it serves on.</summary>
    public IPEndPoint Endpoint { get; }

    /// <summary>Starts a seeder and waits until it has the whole torrent.</summary>
    public static async Task<SeederProcess> StartAsync(
        SwarmProcess swarm, bool isLibtorrent, int slots, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-upload-");
        var file = Path.Combine(folder.FullName, "measured.torrent");
        await File.WriteAllBytesAsync(file, swarm.TorrentFile, cancellationToken);
        var peer = swarm.Peers[0];
        var start = isLibtorrent
            ? LibtorrentScript.Start([await LibtorrentProcess.WriteScriptAsync(folder, cancellationToken), file, peer.Address.ToString(),
                peer.Port.ToString(CultureInfo.InvariantCulture), Path.Combine(folder.FullName, "files"), "2", "serve"])
            : DotnetHost.Tester(["fetch", file, "--peer", peer.ToString(), "--cache", Path.Combine(folder.FullName, "cache"),
                "--encryption", "off", "--serve", "--slots", slots.ToString(CultureInfo.InvariantCulture)]);
        start.RedirectStandardError = true;
        var process = Process.Start(start) ?? throw new InvalidOperationException("The seeder could not be started.");

        // Its progress is not needed, but the pipe must be drained.
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginErrorReadLine();
        var port = 0;
        while (await process.StandardOutput.ReadLineAsync(cancellationToken) is { } line)
        {
            if (line.StartsWith("port ", StringComparison.Ordinal))
                port = int.Parse(line.AsSpan(5).Trim(), CultureInfo.InvariantCulture);
            else if (line == "done")
                return new SeederProcess(process, folder, new IPEndPoint(IPAddress.Loopback, port));
        }

        throw new InvalidOperationException("The seeder ended before it had everything.");
    }

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        _folder.Delete(recursive: true);
    }
}

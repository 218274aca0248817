using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace NzbDav.TorrentTester;

/// <summary>A seeder in a process of its own: our engine, or Debian's libtorrent. Fetches the torrent from the mock swarm first, to disk.</summary>
internal sealed class SeederProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly DirectoryInfo _folder;

    private SeederProcess(Process process, DirectoryInfo folder, IPEndPoint endpoint)
    {
        _process = process;
        _folder = folder;
        Endpoint = endpoint;
    }

    /// <summary>Where it serves.</summary>
    public IPEndPoint Endpoint { get; }

    /// <summary>CPU time of the process so far, and the part of it in the kernel.</summary>
    public (TimeSpan All, TimeSpan Kernel) Cpu
    {
        get
        {
            _process.Refresh();
            return (_process.TotalProcessorTime, _process.PrivilegedProcessorTime);
        }
    }

    /// <summary>Most memory that the process has had resident so far, in bytes.</summary>
    public long PeakMemory
    {
        get
        {
            _process.Refresh();
            return _process.PeakWorkingSet64;
        }
    }

    /// <summary>Starts one and waits until it has everything.</summary>
    public static async Task<SeederProcess> StartAsync(SwarmProcess swarm, bool isLibtorrent, int slots, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-upload-");
        var file = Path.Combine(folder.FullName, "measured.torrent");
        await File.WriteAllBytesAsync(file, swarm.TorrentFile, cancellationToken);
        var peer = swarm.Peers[0];
        var start = new ProcessStartInfo(isLibtorrent ? "/usr/bin/python3" : DotnetHost.Muxer) { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        string[] arguments = isLibtorrent
            ? [await LibtorrentProcess.WriteScriptAsync(folder, cancellationToken), file, peer.Address.ToString(), peer.Port.ToString(CultureInfo.InvariantCulture), Path.Combine(folder.FullName, "files"), "2", "serve"]
            : ["exec", Environment.GetCommandLineArgs()[0], TesterCommand.Name, "fetch", file, "--peer", peer.ToString(), "--cache", Path.Combine(folder.FullName, "cache"), "--encryption", "off", "--serve", "--slots", slots.ToString(CultureInfo.InvariantCulture)];
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        var process = Process.Start(start) ?? throw new InvalidOperationException("The seeder does not start.");

        // What it says of its progress is nobody's, but must be read.
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

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
        _folder.Delete(recursive: true);
    }
}

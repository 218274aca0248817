using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace NzbDav.TorrentTester.Processes;

/// <summary>An engine with many torrents in a process of its own: see the command <c>join</c>.</summary>
internal sealed class JoinProcess : MeteredProcess
{
    private JoinProcess(Process process, int port)
        : base(process) => Endpoint = new IPEndPoint(IPAddress.Loopback, port);

    /// <summary>The address it listens on.</summary>
    public IPEndPoint Endpoint { get; }

    /// <summary>Number of open descriptors.</summary>
    public int Descriptors => Directory.GetFiles(string.Create(CultureInfo.InvariantCulture, $"/proc/{Process.Id}/fd")).Length;

    public static async Task<JoinProcess> StartAsync(int torrents, int pieces, CancellationToken cancellationToken)
    {
        var start = DotnetHost.Tester("join", "--torrents", torrents.ToString(CultureInfo.InvariantCulture), "--pieces", pieces.ToString(CultureInfo.InvariantCulture));
        var process = Process.Start(start) ?? throw new InvalidOperationException("The engine could not be started.");
        var line = await process.StandardOutput.ReadLineAsync(cancellationToken);
        return line?.Split(' ') is ["port", var port]
            ? new JoinProcess(process, int.Parse(port, CultureInfo.InvariantCulture))
            : throw new InvalidOperationException($"The engine ended at once: {line}");
    }

    /// <summary>Waits for the first torrent's lock since the last call, in microseconds: median, 99th percentile, longest.</summary>
    public async Task<double[]> WaitsAsync(CancellationToken cancellationToken)
    {
        await Process.StandardInput.WriteLineAsync("report".AsMemory(), cancellationToken);
        await Process.StandardInput.FlushAsync(cancellationToken);
        var line = await Process.StandardOutput.ReadLineAsync(cancellationToken) ?? throw new InvalidOperationException("The engine ended.");
        return [.. line.Split(' ').Skip(1).Select(static text => double.Parse(text, CultureInfo.InvariantCulture))];
    }
}

using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace NzbDav.TorrentTester;

/// <summary>An engine with many torrents in a process of its own: see <see cref="JoinCommand"/>.</summary>
internal sealed class JoinProcess : IAsyncDisposable
{
    private readonly Process _process;

    private JoinProcess(Process process, int port)
    {
        _process = process;
        Endpoint = new IPEndPoint(IPAddress.Loopback, port);
    }

    /// <summary>Where it listens.</summary>
    public IPEndPoint Endpoint { get; }

    /// <summary>CPU time of the process so far.</summary>
    public TimeSpan Cpu
    {
        get
        {
            _process.Refresh();
            return _process.TotalProcessorTime;
        }
    }

    /// <summary>Memory that is resident now, in bytes.</summary>
    public long Memory
    {
        get
        {
            _process.Refresh();
            return _process.WorkingSet64;
        }
    }

    /// <summary>Open descriptors.</summary>
    public int Descriptors => Directory.GetFiles(string.Create(CultureInfo.InvariantCulture, $"/proc/{_process.Id}/fd")).Length;

    public static async Task<JoinProcess> StartAsync(int torrents, int pieces, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo(DotnetHost.Muxer) { UseShellExecute = false, RedirectStandardInput = true, RedirectStandardOutput = true };
        string[] arguments =
        [
            "exec", Environment.GetCommandLineArgs()[0], TesterCommand.Name, "join", "--torrents", torrents.ToString(CultureInfo.InvariantCulture), "--pieces", pieces.ToString(CultureInfo.InvariantCulture),
        ];
        foreach (var argument in arguments)
            start.ArgumentList.Add(argument);
        var process = Process.Start(start) ?? throw new InvalidOperationException("The engine does not start.");
        var line = await process.StandardOutput.ReadLineAsync(cancellationToken);
        return line?.Split(' ') is ["port", var port]
            ? new JoinProcess(process, int.Parse(port, CultureInfo.InvariantCulture))
            : throw new InvalidOperationException($"The engine ended at once: {line}");
    }

    /// <summary>How long the first torrent's lock was waited for since the last call, in microseconds: median, 99th percentile, longest.</summary>
    public async Task<double[]> WaitsAsync(CancellationToken cancellationToken)
    {
        await _process.StandardInput.WriteLineAsync("report".AsMemory(), cancellationToken);
        await _process.StandardInput.FlushAsync(cancellationToken);
        var line = await _process.StandardOutput.ReadLineAsync(cancellationToken) ?? throw new InvalidOperationException("The engine ended.");
        return [.. line.Split(' ').Skip(1).Select(static text => double.Parse(text, CultureInfo.InvariantCulture))];
    }

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        await _process.WaitForExitAsync();
        _process.Dispose();
    }
}

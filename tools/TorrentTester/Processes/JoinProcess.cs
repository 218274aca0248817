using System.Diagnostics;
using System.Globalization;
using System.Net;
using NzbDav.MockSwarm.Contents;

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
        var start = DotnetHost.Tester("join", "--torrents", torrents.ToString(CultureInfo.InvariantCulture), "--pieces",
            pieces.ToString(CultureInfo.InvariantCulture));
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
        var line = await Process.StandardOutput.ReadLineAsync(cancellationToken)
            ?? throw new InvalidOperationException("The engine ended.");
        return [.. line.Split(' ').Skip(1).Select(static text => double.Parse(text, CultureInfo.InvariantCulture))];
    }
}

/// <summary>Torrents of random bytes that an engine joins and nobody reads.</summary>
internal static class JoinedTorrent
{
    private const int PieceLength = 16 << 10;

    /// <summary>Makes the torrent with a number: the same in every process.</summary>
    /// <param name="number">From 0.</param>
    /// <param name="pieces">Number of its pieces.</param>
    public static MockTorrent Make(int number, int pieces)
    {
        var name = string.Create(CultureInfo.InvariantCulture, $"joined {number}");
        return new MockTorrent(name, SwarmContent.Make((ulong)number + 1, PieceLength, [new SwarmFile(name, (long)pieces * PieceLength)]));
    }
}

using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace NzbDav.TorrentTester.Processes;

/// <summary>Debian's libtorrent (python3-libtorrent) as seeders, in a process of its own. Its files are those of the mock swarm.</summary>
internal sealed class LibtorrentSeeders : MeteredProcess
{
    private const string Script = "seeders.py";

    private LibtorrentSeeders(Process process, IReadOnlyList<IPEndPoint> peers)
        : base(process) => Peers = peers;

    public IReadOnlyList<IPEndPoint> Peers { get; }

    /// <summary>Writes the files and their .torrent into a folder.</summary>
    public static async Task<byte[]> WriteFilesAsync(string folder, long size, long pieceLength, CancellationToken cancellationToken)
    {
        var torrent = Path.Combine(folder, "measured.torrent");
        var files = Directory.CreateDirectory(Path.Combine(folder, "files"));
        var start = DotnetHost.Swarm("--seeders", "1", "--size", Text(size), "--piece-length", Text(pieceLength), "--torrent-out", torrent,
            "--files-out", files.FullName, "--exit-with-stdin");
        using var process = Process.Start(start) ?? throw new InvalidOperationException("The mock swarm could not be started.");
        process.StandardInput.Close();
        await process.WaitForExitAsync(cancellationToken);
        return await File.ReadAllBytesAsync(torrent, cancellationToken);
    }

    /// <summary>Starts them and waits until they serve.</summary>
    /// <param name="folder">The folder that <see cref="WriteFilesAsync"/> has filled.</param>
    /// <param name="count">Number of seeders.</param>
    /// <param name="rate">Bytes per second of each; 0 = no limit.</param>
    /// <param name="isEncrypted">True: RC4 only. False: plain only.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="InvalidOperationException">It is not installed.</exception>
    public static async Task<LibtorrentSeeders> StartAsync(
        string folder, int count, long rate, bool isEncrypted, CancellationToken cancellationToken)
    {
        var script = await LibtorrentScript.WriteAsync(Script, folder, cancellationToken);
        var start = LibtorrentScript.Start(script, Path.Combine(folder, "measured.torrent"), Path.Combine(folder, "files"), Text(count),
            Text(rate), isEncrypted ? "0" : "2");
        var process = Process.Start(start) ?? throw new InvalidOperationException("python3 could not be started.");
        var line = await process.StandardOutput.ReadLineAsync(cancellationToken)
            ?? throw new InvalidOperationException("libtorrent ended at once.");
        return new LibtorrentSeeders(process,
            [.. line.Split(' ').Select(static port => new IPEndPoint(IPAddress.Loopback, int.Parse(port, CultureInfo.InvariantCulture)))]);
    }

    private static string Text(IConvertible value) => value.ToString(CultureInfo.InvariantCulture);
}

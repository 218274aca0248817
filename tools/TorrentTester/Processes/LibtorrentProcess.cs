using System.Diagnostics;
using System.Globalization;
using System.Net;

namespace NzbDav.TorrentTester.Processes;

/// <summary>Runs the same download from the same seeder with Debian's libtorrent (python3-libtorrent), for comparison.</summary>
internal static class LibtorrentProcess
{
    private const string Script = "libtorrent.py";

    /// <summary>Writes the script into a folder.</summary>
    public static Task<string> WriteScriptAsync(DirectoryInfo folder, CancellationToken cancellationToken) =>
        LibtorrentScript.WriteAsync(Script, folder.FullName, cancellationToken);

    /// <summary>Downloads a torrent from one peer to disk.</summary>
    /// <returns>Seconds from adding to the last byte, its process's CPU seconds in that time, and the part of those in the
    /// kernel.</returns>
    /// <exception cref="InvalidOperationException">It is not installed, or failed.</exception>
    public static async Task<(double Seconds, double Cpu, double Kernel)> RunAsync(
        byte[] torrent, IPEndPoint peer, CancellationToken cancellationToken, bool isEncrypted = false)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-libtorrent-");
        try
        {
            var script = await WriteScriptAsync(folder, cancellationToken);
            var file = Path.Combine(folder.FullName, "measured.torrent");
            await File.WriteAllBytesAsync(file, torrent, cancellationToken);
            var start = LibtorrentScript.Start(script, file, peer.Address.ToString(), peer.Port.ToString(CultureInfo.InvariantCulture),
                Path.Combine(folder.FullName, "files"), isEncrypted ? "0" : "2");
            using var process = Process.Start(start) ?? throw new InvalidOperationException("python3 could not be started.");
            try
            {
                var said = await process.StandardOutput.ReadToEndAsync(cancellationToken);
                await process.WaitForExitAsync(cancellationToken);
                return process.ExitCode == 0 && said.Split(' ', StringSplitOptions.TrimEntries) is [var seconds, var cpu, var kernel]
                    ? (double.Parse(seconds, CultureInfo.InvariantCulture), double.Parse(cpu, CultureInfo.InvariantCulture),
                        double.Parse(kernel, CultureInfo.InvariantCulture))
                    : throw new InvalidOperationException($"libtorrent failed ({process.ExitCode}): {said}");
            }
            finally
            {
                if (!process.HasExited)
                    process.Kill();
            }
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}

/// <summary>Scripts for Debian's libtorrent (python3-libtorrent), which are part of this assembly.</summary>
internal static class LibtorrentScript
{
    /// <summary>Writes a script into a folder.</summary>
    /// <param name="name">Name of the script.</param>
    /// <param name="folder">The folder.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>Its path.</returns>
    public static async Task<string> WriteAsync(string name, string folder, CancellationToken cancellationToken)
    {
        var path = Path.Combine(folder, name);
        await using var source = typeof(LibtorrentScript).Assembly.GetManifestResourceStream(name)!;
        await using var target = File.Create(path);
        await source.CopyToAsync(target, cancellationToken);
        return path;
    }

    /// <summary>Start information of a script, with input and output redirected.</summary>
    /// <param name="arguments">Its path, then its arguments.</param>
    public static ProcessStartInfo Start(params IEnumerable<string> arguments) => new("/usr/bin/python3", arguments)
    {
        UseShellExecute = false,
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
    };
}

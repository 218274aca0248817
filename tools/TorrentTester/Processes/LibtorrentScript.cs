using System.Diagnostics;

namespace NzbDav.TorrentTester.Processes;

/// <summary>Scripts for Debian's libtorrent (python3-libtorrent), which are part of this assembly.</summary>
internal static class LibtorrentScript
{
    /// <summary>Writes a script into a folder.</summary>
    /// <param name="name">Which one.</param>
    /// <param name="folder">Where.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>Its path.</returns>
    public static async Task<string> WriteAsync(string name, string folder, CancellationToken cancellationToken)
    {
        var path = Path.Combine(folder, name);
        await using var source = typeof(LibtorrentScript).Assembly.GetManifestResourceStream(name)!;
        await using var target = File.Create(path);
        await source.CopyToAsync(target, cancellationToken);
        return path;
    }

    /// <summary>How a script is started, with its input and output redirected.</summary>
    /// <param name="arguments">Its path, then its arguments.</param>
    public static ProcessStartInfo Start(params IEnumerable<string> arguments) => new("/usr/bin/python3", arguments)
    {
        UseShellExecute = false,
        RedirectStandardInput = true,
        RedirectStandardOutput = true,
    };
}

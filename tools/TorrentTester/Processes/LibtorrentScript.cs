using System.Diagnostics;

namespace NzbDav.TorrentTester.Processes;

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

using NzbDav.FullNzbTester.Dav;
using NzbDav.FullNzbTester.Processes;

namespace NzbDav.FullNzbTester.Faults;

/// <summary>
/// A server's configuration with one imported film. Every reading starts a new server on a copy of it, without anything that earlier
/// readings left: articles, learned connection limits, or which provider is slow.
/// </summary>
internal sealed class MatrixServer(string folder, IReadOnlyDictionary<string, string> accounts)
{
    private readonly string _imported = Path.Combine(folder, "imported");
    private string _path = "";
    private long _length;
    private int _readings;

    /// <summary>Settings of every server here: the defaults, with torrents on this machine alone.</summary>
    public static Dictionary<string, string> Settings(IEnumerable<KeyValuePair<string, string>> accounts) =>
        new(accounts.Concat(ChildProcess.OwnMemory), StringComparer.Ordinal)
        {
            ["NzbDav__Torrents__ListenAddress"] = "127.0.0.1",
            ["NzbDav__Torrents__Dht"] = "false",
            ["NzbDav__Torrents__LocalDiscovery"] = "false",
        };

    /// <summary>Imports the film.</summary>
    /// <exception cref="InvalidOperationException">The film is refused, or has another length.</exception>
    public async Task ImportAsync(byte[] nzb, long length, CancellationToken cancellationToken)
    {
        Directory.CreateDirectory(folder);
        var path = Path.Combine(folder, "film.nzb");
        await File.WriteAllBytesAsync(path, nzb, cancellationToken);
        await using var server = await ServerProcess.StartAsync(_imported, Settings(accounts), cancellationToken);
        var (file, refusal) = await server.Import().RunAsync(path, cancellationToken);
        if (refusal is not null)
            throw new InvalidOperationException($"The server refused the film: {refusal}");
        if (file!.Length != length)
            throw new InvalidOperationException($"The film has {file.Length:N0} bytes in the server's listing; {length:N0} were posted.");
        (_path, _length) = (file.Url.AbsolutePath, length);
    }

    /// <summary>Starts a server on a copy of the configuration.</summary>
    /// <param name="isTiered">True: the second account is a backup of the first.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The server and the film. The caller disposes the server, then calls <see cref="Forget"/>.</returns>
    public async Task<(ServerProcess Server, DavTarget Film)> StartAsync(bool isTiered, CancellationToken cancellationToken)
    {
        var config = Path.Combine(folder, $"reading-{++_readings}");
        Copy(new DirectoryInfo(_imported), Directory.CreateDirectory(config));
        var settings = Settings(accounts);
        if (isTiered)
            settings[MockAccount.Key(1, "Priority")] = "1";
        var server = await ServerProcess.StartAsync(config, settings, cancellationToken);
        return (server, new DavTarget(new Uri(server.Root, _path), server.Authorization, _length));
    }

    /// <summary>Removes the latest copy.</summary>
    public void Forget() => Directory.Delete(Path.Combine(folder, $"reading-{_readings}"), recursive: true);

    private static void Copy(DirectoryInfo from, DirectoryInfo to)
    {
        foreach (var file in from.EnumerateFiles())
            file.CopyTo(Path.Combine(to.FullName, file.Name));
        foreach (var child in from.EnumerateDirectories())
            Copy(child, to.CreateSubdirectory(child.Name));
    }
}

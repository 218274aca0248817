using System.Diagnostics;
using System.Net;
using System.Net.Http.Headers;

namespace NzbDav.TorrentTester.Processes;

/// <summary>The server itself in a process of its own, on an empty configuration; killed when disposed.</summary>
internal sealed class ServerProcess : MeteredProcess
{
    private const string SettingsPrefix = "NzbDav__";
    private const string Announcement = "NzbDav serves WebDAV at ";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _folder;

    private ServerProcess(Process process, DirectoryInfo folder, Uri root)
        : base(process)
    {
        _folder = folder;
        Http = new HttpClient { BaseAddress = root, Timeout = Patience };
        Http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Basic", Convert.ToBase64String("tester:tester"u8));
    }

    /// <summary>A client for its WebDAV tree.</summary>
    public HttpClient Http { get; }

    /// <summary>Starts it and waits until it serves.</summary>
    public static async Task<ServerProcess> StartAsync(string assembly, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-torrents-");
        var start = new ProcessStartInfo(DotnetHost.Muxer, [assembly, "--config", folder.FullName, "--urls", "http://127.0.0.1:0"])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var name in start.Environment.Keys.Where(
            static name => name.StartsWith(SettingsPrefix, StringComparison.OrdinalIgnoreCase)).ToArray())
            start.Environment.Remove(name);
        start.Environment["NzbDav__WebDav__Username"] = start.Environment["NzbDav__WebDav__Password"] = "tester";
        start.Environment["NzbDav__Torrents__DhtBootstrap"] = LocalDht.Address;
        start.Environment["NzbDav__Torrents__ListenAddress"] = start.Environment["NzbDav__Torrents__PrivateHosts"] = "127.0.0.1";
        var process = Process.Start(start) ?? throw new InvalidOperationException("The server could not be started.");
        process.ErrorDataReceived += static (_, e) =>
        {
            if (e.Data is not null)
                Console.Error.WriteLine(e.Data);
        };
        process.BeginErrorReadLine();
        try
        {
            while (await process.StandardOutput.ReadLineAsync(cancellationToken) is { } line)
            {
                if (!line.StartsWith(Announcement, StringComparison.Ordinal))
                    continue;

                // The rest of its output is not needed, but the pipe must be drained.
                _ = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
                return new ServerProcess(process, folder, new Uri(line[Announcement.Length..].Trim()));
            }

            throw new InvalidOperationException("The server ended at once.");
        }
        catch
        {
            Kill(process);
            await process.WaitForExitAsync(CancellationToken.None);
            process.Dispose();
            folder.Delete(recursive: true);
            throw;
        }
    }

    /// <summary>The API key with all rights.</summary>
    public string Key => File.ReadAllText(Path.Combine(_folder.FullName, "keys", "api")).Trim();

    /// <summary>Drops a torrent into it and waits until it is listed.</summary>
    /// <returns>The path of its one file.</returns>
    public async Task<string> DropAsync(byte[] torrent, string file, CancellationToken cancellationToken)
    {
        using var body = new ByteArrayContent(torrent);
        using var taken = await Http.PutAsync("torrents/other/measured.torrent", body, cancellationToken);
        if (taken.StatusCode != HttpStatusCode.Created)
            throw new InvalidOperationException(
                $"The torrent was refused: {taken.StatusCode} {await taken.Content.ReadAsStringAsync(cancellationToken)}");
        var path = $"content/other/measured/{Uri.EscapeDataString(file)}";
        for (var watch = Stopwatch.StartNew(); watch.Elapsed < Patience;)
        {
            using var head = await Http.SendAsync(new HttpRequestMessage(HttpMethod.Head, path), cancellationToken);
            if (head.IsSuccessStatusCode)
                return path;
            await Task.Delay(1, cancellationToken);
        }

        throw new TimeoutException("The torrent was never published.");
    }

    public override async ValueTask DisposeAsync()
    {
        Http.Dispose();
        await base.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    /// <summary>Kills it.</summary>
    protected override void End() => Kill(Process);

    private static void Kill(Process process)
    {
        if (!process.HasExited)
            process.Kill();
    }
}

using System.Net;
using NzbDav.Catalog.Database;
using NzbDav.Host.Demo;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Commands;

/// <summary>Runs the server until it is told to stop.</summary>
internal static class ServeCommand
{
    public static async Task<int> RunAsync(DirectoryInfo? config, string? urls, bool demo, bool open, CancellationToken cancellationToken)
    {
        if (open && !demo)
        {
            await Console.Error.WriteLineAsync("nzbdav: --open is for the demo only. Add --demo, or leave --open out.");
            return Launch.ConfigurationFault;
        }

        // Before the folder is touched: faults of the environment are reported whatever is stored there.
        var sources = SettingSources.OfProcess();
        if (Launch.ReadSettings(sources) is not { } settings)
            return Launch.ConfigurationFault;
        using var temporary = demo && config is null ? new TemporaryFolder() : null;
        if (Launch.Prepare(temporary?.Path ?? config?.FullName ?? "config") is not { } folder)
            return Launch.ConfigurationFault;

        try
        {
            using var claim = ConfigLock.TryAcquire(folder)
                ?? throw new ServerStartException(
                    $"another server runs on {folder}. Stop it, or give this one a folder of its own with --config.");

            FileModes.Tighten(folder);
            await using var show = demo ? DemoShow.Start(settings.Torrents.Enabled) : null;
            Func<NzbDavSettings, NzbDavSettings>? overlay = show is null
                ? null
                : all => all with
                {
                    Providers = [show.Provider],
                    Torrents = all.Torrents with
                    {
                        ListenAddress = IPAddress.Loopback,
                        Port = 0,
                        PrivateHosts = ["127.0.0.1"],
                        Dht = false,
                        LocalDiscovery = false
                    }
                };
            await using var server = await NzbDavServer.CreateAsync(sources, folder, urls, demo, open, overlay, cancellationToken);
            await server.StartAsync(cancellationToken);
            await server.WarmAsync(cancellationToken);
            Announcement.Write(Console.Out, server, server.Settings, folder, demo);
            if (show is not null)
                await show.ImportAsync(server, Console.Out, cancellationToken);
            await server.WaitForShutdownAsync(cancellationToken);
            return 0;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return 0;
        }
        catch (Exception e) when (e is CatalogException or IOException or ServerStartException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return Launch.ConfigurationFault;
        }
    }
}

/// <summary>A folder that is deleted on disposal.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("nzbdav-").FullName;

    public void Dispose()
    {
        try
        {
            Directory.Delete(Path, recursive: true);
        }
        catch (IOException)
        {
            // Files that are still in use are left to the system's own cleaning.
        }
    }
}

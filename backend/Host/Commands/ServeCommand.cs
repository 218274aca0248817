using System.Net;
using NzbDav.Catalog.Database;
using NzbDav.Host.Demo;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Commands;

/// <summary>Runs the server until it is told to stop.</summary>
internal static class ServeCommand
{
    /// <param name="config">The configuration folder; null: the default.</param>
    /// <param name="urls">Where to listen; null: the default.</param>
    /// <param name="demo">Runs the demo.</param>
    /// <param name="open">The demo may listen on other addresses than loopback.</param>
    /// <param name="mount">The folder to mount the tree at; null: as the settings say.</param>
    /// <param name="cancellationToken">Stops the server.</param>
    public static async Task<int> RunAsync(
        DirectoryInfo? config, string? urls, bool demo, bool open, DirectoryInfo? mount, CancellationToken cancellationToken)
    {
        if (open && !demo)
        {
            await Console.Error.WriteLineAsync("nzbdav: --open is for the demo only. Add --demo, or leave --open out.");
            return Launch.ConfigurationFault;
        }

        // Read before the folder is touched: faults of the environment are reported whatever is stored there.
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
            if (mount is not null)
            {
                var others = overlay;
                overlay = all => Mounted(others?.Invoke(all) ?? all, mount.FullName);
            }

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

    private static NzbDavSettings Mounted(NzbDavSettings settings, string folder) => settings with
    {
        Mount = settings.Mount with { Path = folder, Socket = null },
        WebDavMountPath = settings.WebDavMountPath == new NzbDavSettings().WebDavMountPath ? folder : settings.WebDavMountPath,
    };
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
            // Some files are still in use: leave them to the system's own cleanup.
        }
    }
}

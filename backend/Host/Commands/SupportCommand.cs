using NzbDav.Access.Keys;
using NzbDav.Catalog.Database;
using NzbDav.Host.Operations;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Commands;

/// <summary>Writes a support bundle without a running server, so also for a server that does not start.</summary>
internal static class SupportCommand
{
    public static async Task<int> RunAsync(DirectoryInfo? config, FileInfo? output, bool names, CancellationToken cancellationToken)
    {
        var folder = Path.GetFullPath(config?.FullName ?? "config");
        if (Launch.ReadSettings(folder) is not { } settings)
            return Launch.ConfigurationFault;
        var options = settings.Catalog(folder);
        if (!Directory.Exists(options.ConfigFolder))
        {
            await Console.Error.WriteLineAsync($"nzbdav: there is no folder {options.ConfigFolder}.");
            return 1;
        }

        var secrets = SettingSecrets.Filter(settings);
        foreach (var key in ReadKeys(options.ConfigFolder))
            secrets.Add(key);
        var path = output?.FullName ?? Path.GetFullPath(SupportEndpoints.FileName(TimeProvider.System));
        try
        {
            await using var catalog = await OpenAsync(options, cancellationToken);
            await using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write);
            await new SupportBundle(options, secrets)
                .WriteAsync(file, catalog.Set?.Jobs, catalog.Trouble, catalog.Set?.Settings, state: null, names, cancellationToken);
            Console.WriteLine(path);
            return 0;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return 1;
        }
    }

    private static IEnumerable<string> ReadKeys(string folder)
    {
        var path = Path.Combine(folder, "keys", ApiKeys.FullFile);
        return File.Exists(path) ? [File.ReadAllText(path)] : [];
    }

    private static async Task<Opened> OpenAsync(CatalogOptions options, CancellationToken cancellationToken)
    {
        // Do not create a catalog in a folder that has none.
        if (!options.IsThere)
            return new Opened(null, "There is no catalog.");
        try
        {
            return new Opened(await CatalogSet.OpenAsync(options, TimeProvider.System, cancellationToken), null);
        }
        catch (CatalogException e)
        {
            return new Opened(null, e.Message);
        }
    }

    private sealed record Opened(CatalogSet? Set, string? Trouble) : IAsyncDisposable
    {
        public ValueTask DisposeAsync() => Set?.DisposeAsync() ?? default;
    }
}

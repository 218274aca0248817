using System.Diagnostics;
using NzbDav.Catalog.Browsing;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Library.Export;

namespace NzbDav.Host.Commands;

/// <summary>Exports the library as small files, also while a server runs.</summary>
internal static class ExportCommand
{
    public static async Task<int> RunAsync(DirectoryInfo? config, ExportOptions asked, CancellationToken cancellationToken)
    {
        var folder = Path.GetFullPath(config?.FullName ?? "config");
        if (Launch.ReadSettings(folder) is not { } settings)
            return Launch.ConfigurationFault;
        if (Complete(asked, settings, out var options) is { } fault)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {fault}");
            return Launch.ConfigurationFault;
        }

        try
        {
            var catalogOptions = settings.Catalog(folder);
            if (!catalogOptions.IsThere)
                throw new ServerStartException(
                    $"there is no {catalogOptions.DatabasePath}: use --config to name the configuration folder of the server.");
            var watch = Stopwatch.StartNew();
            await using var catalog = await CatalogSet.OpenAsync(catalogOptions, TimeProvider.System, cancellationToken);
            await catalog.Unwanted.LoadAsync(cancellationToken);
            if (options.Category is { } category
                && await catalog.Tree.ResolveAsync([JobStore.ContentCollection, category], cancellationToken) is null)
                throw new ServerStartException($"there is no category '{category}' in /{JobStore.ContentCollection}.");
            Directory.CreateDirectory(options.Folder);
            using var export = LibraryExport.Open(options, new LinkKeys(folder).Open(TimeProvider.System));
            var prepared = export.Prepare(await TreeOutline.ReadAsync(catalog.Database, cancellationToken), catalog.Unwanted.IsHidden);

            // Record them before the links exist: files that a library may link to are not deleted.
            if (options.Addresses || options.Links)
                await catalog.Links.MarkLinksReadAsync(prepared.Added, cancellationToken);
            var report = export.Run(prepared, verify: true, cancellationToken);
            Console.WriteLine(
                $"{options.Folder}: {report.Created} made, {report.Replaced} replaced, {report.Removed} removed, {report.Unchanged} " +
                $"unchanged, in {watch.Elapsed.TotalSeconds:F1} s.");
            return await PrintAsync(report);
        }
        catch (Exception e) when (e is CatalogException or ServerStartException or IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return 1;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await Console.Error.WriteLineAsync(
                "nzbdav: interrupted. Everything written so far is complete; run the command again for the rest.");
            return 1;
        }
    }

    /// <summary>Fills in options from the settings.</summary>
    /// <returns>What is wrong; null if nothing is.</returns>
    private static string? Complete(ExportOptions asked, NzbDavSettings settings, out ExportOptions options)
    {
        options = asked with
        {
            AddressRoot = (asked.AddressRoot.Length > 0 ? asked.AddressRoot : settings.StrmUrl).TrimEnd('/'),
            MountPath = (asked.MountPath.Length > 0 ? asked.MountPath : settings.WebDavMountPath).TrimEnd('/'),
        };
        if (!asked.Addresses && !asked.Links && !asked.Details)
            return "say what to write: --strm, --symlink, --nfo, or --nfo with one of the other two.";
        if (asked.Addresses && asked.Links)
            return "--strm and --symlink exclude each other: export them to two folders.";
        if (asked.Addresses && options.AddressRoot.Length == 0)
            return "--base-url must say where players reach this server, such as http://nas:8080, because the setting Strm:Url is not set.";
        if (asked.Addresses && (!Uri.TryCreate(options.AddressRoot, UriKind.Absolute, out var address)
            || address.Scheme is not ("http" or "https") || address.Query.Length + address.Fragment.Length + address.UserInfo.Length > 0))
            return $"'{options.AddressRoot}' is not an address such as http://nas:8080.";
        return asked.Links && !options.MountPath.StartsWith('/')
            ? $"'{options.MountPath}' is not an absolute path such as /mnt/nzbdav." : null;
    }

    private static async Task<int> PrintAsync(ExportReport report)
    {
        if (report.LeftOut > 0)
            Console.WriteLine(
                $"{report.LeftOut} files that are neither videos nor music have no .strm: use a mount or an export with --symlink for " +
                $"subtitles and the like.");
        foreach (var path in report.TooLong.Take(ExportReport.MostNamed))
            await Console.Error.WriteLineAsync($"nzbdav: {path} is left out: its path would be longer than 4,095 bytes.");
        foreach (var reason in report.BlockedBy)
            await Console.Error.WriteLineAsync($"nzbdav: {reason}.");
        if (report.Blocked > 0)
            await Console.Error.WriteLineAsync(
                $"nzbdav: {report.Blocked} files could not be written, because other files are in their places. Move those away and run " +
                $"the command again.");
        return report.Blocked + report.TooLong.Count > 0 ? 1 : 0;
    }
}

using NzbDav.Catalog.Database;
using NzbDav.Host.Arrs;
using NzbDav.Host.Moving;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Commands;

/// <summary>Rewrites the links of a library that point to another program's files.</summary>
internal static class LinksCommand
{
    public static async Task<int> RunAsync(
        DirectoryInfo? config, DirectoryInfo folder, string[] mounts, bool isDry, CancellationToken cancellationToken)
    {
        var configuration = Path.GetFullPath(config?.FullName ?? "config");
        if (Launch.ReadSettings(SettingSources.OfProcess()) is not { } environment)
            return Launch.ConfigurationFault;
        if (!folder.Exists)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {folder.FullName} does not exist.");
            return 1;
        }

        if (!environment.Catalog(configuration).IsThere)
        {
            await Console.Error.WriteLineAsync(
                $"nzbdav: {configuration} has no catalog. Run nzbdav migrate first, or name the folder with --config.");
            return Launch.ConfigurationFault;
        }

        try
        {
            await using var copy = isDry ? CatalogCopy.Make(environment.Catalog(configuration)) : null;
            if (Launch.ReadSettings(configuration, copy?.Options) is not { } settings)
                return Launch.ConfigurationFault;
            await using var own = isDry
                ? null : await CatalogSet.OpenAsync(settings.Catalog(configuration), TimeProvider.System, cancellationToken);
            var catalog = own ?? await copy!.OpenAsync(cancellationToken);
            var keys = new LinkKeys(configuration);
            var targets = new LinkTargets(
                catalog.Tree, settings.Library, isDry ? keys.OpenReadOnly(TimeProvider.System) : keys.Open(TimeProvider.System));
            var rewriter = new LinkRewriter(catalog.Aliases, targets,
                await OldMounts.ReadAsync(catalog.Settings, [.. mounts, settings.WebDavMountPath], cancellationToken), isDry);
            await rewriter.RunAsync(folder, cancellationToken);
            Console.WriteLine(
                $"{rewriter.Changed} links {(isDry ? "would be rewritten" : "rewritten")}, {rewriter.Right} point here already, " +
                $"{rewriter.Foreign} point elsewhere and stay as they are.");
            foreach (var problem in rewriter.Problems)
                await Console.Error.WriteLineAsync($"nzbdav: {problem}");
            return rewriter.Problems.Count == 0 ? 0 : 1;
        }
        catch (Exception e) when (e is CatalogException or ServerStartException or MigrationException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return Launch.ConfigurationFault;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await Console.Error.WriteLineAsync("nzbdav: interrupted; each link is either unchanged or fully rewritten.");
            return 1;
        }
    }
}

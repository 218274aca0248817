using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Import.Intake;
using NzbDav.Import.Names;
using NzbDav.Import.Queue;

namespace NzbDav.Host.Commands;

/// <summary>
/// Imports .nzb and .torrent files and magnet links from the command line: through the queue of the server if one runs on this
/// configuration, otherwise in this process.
/// </summary>
internal static class ImportCommand
{
    public static async Task<int> RunAsync(DirectoryInfo? config, string[] files, string? category, CancellationToken cancellationToken)
    {
        var sources = SettingSources.OfProcess();
        if (Launch.ReadSettings(sources) is not { } environment || Launch.Prepare(config?.FullName ?? "config") is not { } folder)
            return Launch.ConfigurationFault;
        if (category is not null && SafeName.Of(category) != category)
        {
            await Console.Error.WriteLineAsync($"nzbdav: '{category}' is not a valid name for a category.");
            return Launch.ConfigurationFault;
        }

        try
        {
            using var claim = ConfigLock.TryAcquire(folder);
            await using var catalog = await CatalogSet.OpenAsync(environment.Catalog(folder), TimeProvider.System, cancellationToken);
            var (book, faults) = await SettingsBook.OpenAsync(sources, catalog.Settings, folder, overlay: null, cancellationToken);
            using var opened = book ?? throw new ServerStartException(string.Join(Environment.NewLine + "nzbdav: ", faults));
            var settings = opened.Current;
            if (claim is not null && settings.Providers.Count == 0 && !Array.TrueForAll(files, IsTorrent))
                throw new ServerStartException(
                    "no server runs on this configuration and no Usenet provider is configured: set NzbDav__Usenet__Providers__0__Host, " +
                    "__Username, __Password.");
            var options = settings.Import;
            var intake = new FileIntake(
                new NzbIntake(catalog.Jobs, options, catalog.Options), new TorrentIntake(catalog.Jobs, options), category);
            await using var own = claim is null ? null : new OwnImporter(settings, catalog, options);
            if (own is not null)
                await own.StartAsync(cancellationToken);
            var failed = 0;
            foreach (var file in files)
                failed += await ImportAsync(catalog, intake, file, cancellationToken) ? 0 : 1;
            return failed == 0 ? 0 : 1;
        }
        catch (Exception e) when (e is CatalogException or ServerStartException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return Launch.ConfigurationFault;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await Console.Error.WriteLineAsync("nzbdav: interrupted; what was queued stays in the queue.");
            return 1;
        }
    }

    private static bool IsMagnet(string file) => file.StartsWith("magnet:", StringComparison.OrdinalIgnoreCase);

    /// <summary>Only the parameters for hash and name are shown: tracker addresses may contain a private tracker's key.</summary>
    private static string Shown(string magnet) => "magnet:?" + string.Join('&', magnet["magnet:".Length..].TrimStart('?').Split('&')
        .Where(parameter => parameter.StartsWith("xt=", StringComparison.OrdinalIgnoreCase)
            || parameter.StartsWith("dn=", StringComparison.OrdinalIgnoreCase)));

    private static bool IsTorrent(string file) => IsMagnet(file) || TorrentIntake.Accepts(file);

    private static async Task<bool> ImportAsync(CatalogSet catalog, FileIntake intake, string file, CancellationToken cancellationToken)
    {
        IntakeResult taken;
        var name = IsMagnet(file) ? Shown(file) : Path.GetFileName(file);
        try
        {
            taken = await intake.AddAsync(file, cancellationToken);
        }
        catch (Exception e) when (e is IOException and not CatalogException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"{name}: {e.Message}");
            return false;
        }

        if (taken.Job is null)
        {
            await Console.Error.WriteLineAsync($"{name}: {taken.Error}");
            return false;
        }

        foreach (var reason in taken.Refused)
            await Console.Error.WriteLineAsync($"{name}: {reason}");
        var succeeded = taken.Refused.Count == 0;
        foreach (var job in taken.Jobs)
            succeeded &= await WaitAsync(catalog, name, job.Id, cancellationToken);
        return succeeded;
    }

    private static async Task<bool> WaitAsync(CatalogSet catalog, string name, long id, CancellationToken cancellationToken)
    {
        var job = await new JobOutcome(catalog.Jobs, TimeProvider.System).WaitAsync(id, cancellationToken);
        if (job?.State == JobState.Completed && job.ItemId is { } item)
        {
            Console.WriteLine($"{name}: /{string.Join('/', await catalog.Tree.GetPathAsync(item, cancellationToken) ?? [])}");
            return true;
        }

        await Console.Error.WriteLineAsync($"{name}: {job?.FailureMessage ?? "the job was deleted."}");
        return false;
    }

    /// <summary>Takes in files and links from the command line.</summary>
    private sealed class FileIntake(NzbIntake posts, TorrentIntake torrents, string? category)
    {
        public async Task<IntakeResult> AddAsync(string file, CancellationToken cancellationToken)
        {
            if (IsMagnet(file))
                return await torrents.AddMagnetAsync(file, category, JobSource.Cli, cancellationToken);
            await using var stream = File.OpenRead(file);
            var request = new IntakeRequest
            { FileName = Path.GetFileName(file), Category = category, Source = JobSource.Cli, ReuseDuplicates = true };
            return IsTorrent(file)
                ? await torrents.AddAsync(request, stream, cancellationToken) : await posts.AddAsync(request, stream, cancellationToken);
        }
    }
}

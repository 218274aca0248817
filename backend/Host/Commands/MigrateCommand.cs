using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Host.Arrs;
using NzbDav.Host.Moving;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Import.Intake;
using NzbDav.Import.Queue;
using NzbDav.Migration;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Commands;

/// <summary>
/// Migrates the library of another program: its titles as imports, its paths as aliases, and the settings that have a counterpart here.
/// </summary>
internal static class MigrateCommand
{
    public static async Task<int> RunAsync(DirectoryInfo? config, MigrateOptions options, CancellationToken cancellationToken)
    {
        var sources = SettingSources.OfProcess();
        if (Launch.ReadSettings(sources) is not { } environment)
            return Launch.ConfigurationFault;
        try
        {
            using var library = await Task.Run(() => OldLibraries.Open(options.From, options.Path), cancellationToken);
            Console.WriteLine($"{library.Product} in {options.Path}, {library.Version}");
            var report = new MoveReport(library.Product, library.Version, options.IsDry);
            if (options.IsDry)
                await DryRunAsync(Path.GetFullPath(config?.FullName ?? "config"), sources, environment, library, report, cancellationToken);
            else if (Launch.Prepare(config?.FullName ?? "config") is { } folder)
                await MoveAsync(folder, sources, environment, library, report, options, cancellationToken);
            else
                return Launch.ConfigurationFault;
            report.Print(Console.Out);
            if (options.Json is { } json)
                report.Write(json.FullName);
            return report.Titles.Exists(title => title.Result == MoveResult.CannotCome) ? 1 : 0;
        }
        catch (Exception e) when (e is MigrationException or CatalogException or ServerStartException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return e is MigrationException ? 1 : Launch.ConfigurationFault;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            await Console.Error.WriteLineAsync($"nzbdav: {e.Message}");
            return 1;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await Console.Error.WriteLineAsync("nzbdav: interrupted; everything migrated so far stays. Run the command again to continue.");
            return 1;
        }
    }

    /// <summary>A dry run: works on a copy of the database and creates no folder.</summary>
    private static async Task DryRunAsync(string folder, SettingSources sources, NzbDavSettings environment, OldLibrary library,
        MoveReport report, CancellationToken cancellationToken)
    {
        await using var copy = CatalogCopy.Make(environment.Catalog(folder));
        var stored = File.Exists(copy.Options.DatabasePath) ? StoredSettings.Peek(
            copy.Options, sources.KeySecret, folder) : new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        var (reading, _) = sources.ReadTolerantly(stored);
        foreach (var (told, changes) in SettingsMove.Plan(
            library.ReadSettings(), reading.Settings, reading.Entries, report.SettingsNotMigrated))
        {
            var next = new Dictionary<string, string>(stored, StringComparer.OrdinalIgnoreCase);
            foreach (var (path, value) in changes)
                next[path] = value!;
            AddSetting(report, told, [.. sources.Read(next).Faults.Except(sources.Read(stored).Faults)]);
        }

        var catalog = await copy.OpenAsync(cancellationToken);
        var sink = new DryRunSink(new NzbIntake(catalog.Jobs, reading.Settings.Import, catalog.Options));
        await new TitleMove(await catalog.Aliases.ListTitlesAsync(library.Source, cancellationToken), sink, report)
            .RunAsync(library, Console.Error, cancellationToken);
    }

    private static async Task MoveAsync(
        string folder, SettingSources sources, NzbDavSettings environment, OldLibrary library, MoveReport report, MigrateOptions options,
        CancellationToken cancellationToken)
    {
        using var claim = ConfigLock.TryAcquire(folder);
        await using var catalog = await CatalogSet.OpenAsync(environment.Catalog(folder), TimeProvider.System, cancellationToken);
        var (book, faults) = await SettingsBook.OpenAsync(sources, catalog.Settings, folder, overlay: null, cancellationToken);
        using var opened = book ?? throw new ServerStartException(string.Join(Environment.NewLine + "nzbdav: ", faults));
        var old = library.ReadSettings();
        await OldMounts.AddAsync(catalog.Settings, old.MountPath, cancellationToken);
        foreach (var (told, changes) in SettingsMove.Plan(old, opened.Current, opened.Entries, report.SettingsNotMigrated))
            AddSetting(report, told, await opened.ChangeAsync(changes, movesSecrets: false, cancellationToken));
        var settings = opened.Current;
        var known = await catalog.Aliases.ListTitlesAsync(library.Source, cancellationToken);
        var sink = new QueueingSink(catalog, new NzbIntake(catalog.Jobs, settings.Import, catalog.Options), library.Source);
        await new TitleMove(known, sink, report).RunAsync(library, Console.Error, cancellationToken);
        if (!report.Titles.Exists(title => title.Result == MoveResult.Came))
            return;
        if (claim is null)
            Console.WriteLine("The server that runs on this configuration imports them now; the page shows its progress.");
        else if (options.QueuesOnly || settings.Providers.Count == 0)
            Console.WriteLine(
                $"They wait in the queue: the server imports them when it is " +
                $"started{(settings.Providers.Count == 0 ? " with a Usenet account" : "")}.");
        else
            await ImportAsync(settings, catalog, report, cancellationToken);
    }

    /// <summary>Imports the migrated titles, because no server runs that would do it.</summary>
    private static async Task ImportAsync(
        NzbDavSettings settings, CatalogSet catalog, MoveReport report, CancellationToken cancellationToken)
    {
        await using var own = new OwnImporter(settings, catalog, settings.Import);
        await own.StartAsync(cancellationToken);
        for (var i = 0; i < report.Titles.Count; i++)
        {
            if (report.Titles[i] is not { Result: MoveResult.Came, JobId: { } id } title)
                continue;
            var job = await new JobOutcome(catalog.Jobs, TimeProvider.System).WaitAsync(id, cancellationToken);
            if (job?.State == JobState.Completed && job.ItemId is { } item)
                Console.WriteLine($"{title.Title}: /{string.Join('/', await catalog.Tree.GetPathAsync(item, cancellationToken) ?? [])}");
            else
                report.Titles[i] = title with { Result = MoveResult.CannotCome, Reason = job?.FailureMessage ?? "Its job was deleted." };
        }
    }

    private static void AddSetting(MoveReport report, string told, IReadOnlyList<SettingFault> faults)
    {
        if (faults.Count == 0)
            report.SettingsMigrated.Add(told);
        else
            report.SettingsNotMigrated.Add($"{told}: {string.Join(' ', faults)}");
    }
}

/// <summary>The options of <c>nzbdav migrate</c>.</summary>
/// <param name="From">The other program.</param>
/// <param name="Path">Its configuration folder.</param>
/// <param name="IsDry">Dry run: change nothing.</param>
/// <param name="QueuesOnly">Leave the imports to the next start of the server.</param>
/// <param name="Json">Where to write the report for machines; null: nowhere.</param>
internal sealed record MigrateOptions(OldProduct From, string Path, bool IsDry, bool QueuesOnly, FileInfo? Json);

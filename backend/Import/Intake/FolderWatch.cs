using System.Threading.Channels;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Names;
using NzbDav.Import.Options;

namespace NzbDav.Import.Intake;

/// <summary>
/// Imports .nzb files from a folder on disk: <c>folder/x.nzb</c> goes to the default category, <c>folder/tv/x.nzb</c> to tv. An accepted
/// file is deleted. A refused file is renamed to <c>x.nzb.failed</c>, with the reason beside it in <c>x.nzb.failed.txt</c>. The same
/// happens to a zip if only part of it was accepted. The whole folder is scanned at the start, after each notification of the file system,
/// and once a minute, because network file systems send no notifications.
/// </summary>
public sealed partial class FolderWatch : BackgroundService
{
    private const string Failed = ".failed";

    private static readonly TimeSpan ScanInterval = TimeSpan.FromMinutes(1);

    /// <summary>Delay before the next scan while a file is still being written.</summary>
    private static readonly TimeSpan RescanDelay = TimeSpan.FromMilliseconds(250);

    /// <summary>Name of the file that tests whether a folder can be written.</summary>
    private const string Probe = ".nzbdav-probe";

    private static readonly string[] Endings = [".nzb", ".nzb.gz", ".nzb.bz2", ".nzb.zip"];

    private readonly NzbIntake _intake;
    private readonly TimeProvider _time;
    private readonly ILogger<FolderWatch> _logger;
    private readonly Live<ImportOptions> _options;
    private DirectoryInfo? _folder;

    /// <summary>The last logged problem of each file or folder.</summary>
    private readonly Dictionary<string, string> _logged = new(StringComparer.Ordinal);

    /// <summary>Imported files that could not be deleted. They are not imported again until they change.</summary>
    private readonly Dictionary<string, (long Length, DateTime Written)> _stuck = new(StringComparer.Ordinal);

    // Bounded to one: every notification leads to the same full scan.
    private readonly Channel<bool> _wake = Channel.CreateBounded<bool>(
        new BoundedChannelOptions(1) { FullMode = BoundedChannelFullMode.DropWrite });

    public FolderWatch(NzbIntake intake, Live<ImportOptions> options, TimeProvider time, ILogger<FolderWatch> logger)
    {
        ArgumentNullException.ThrowIfNull(options);
        _intake = intake;
        _time = time;
        _logger = logger;
        _options = options;
        _folder = ConfiguredFolder();
    }

    /// <summary>Scans the folder once.</summary>
    /// <returns>True if a file is still being written: scan again soon.</returns>
    internal async Task<bool> ScanAsync(CancellationToken cancellationToken)
    {
        var growing = false;
        var files = Find();
        var locked = files.Select(static file => file.DirectoryName!).Distinct(StringComparer.Ordinal).Where(IsLocked)
            .ToHashSet(StringComparer.Ordinal);
        foreach (var file in files.Where(file => !locked.Contains(file.DirectoryName!) && !IsStuck(file)))
        {
            try
            {
                growing |= !await ImportAsync(file, cancellationToken);
                _logged.Remove(file.FullName);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // It is still being written, already gone, or not accessible: the next scan decides.
                LogOnce(file.FullName, e.Message);
            }
            catch (Exception e) when (e is not OperationCanceledException || !cancellationToken.IsCancellationRequested)
            {
                // An internal error concerns one file: the others are still imported.
                LogFault(_logger, e, file.FullName);
            }
        }

        return growing;
    }

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await Task.Yield();
        _options.Changed += OnChanged;
        try
        {
            while (!stoppingToken.IsCancellationRequested)
            {
                _folder = ConfiguredFolder();
                if (_folder is null)
                    await _wake.Reader.ReadAsync(stoppingToken);
                else
                    await WatchAsync(stoppingToken);
            }
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
        finally
        {
            _options.Changed -= OnChanged;
        }
    }

    private DirectoryInfo? ConfiguredFolder() => _options.Value.WatchFolder is { } path ? new DirectoryInfo(path) : null;

    private void OnChanged() => _wake.Writer.TryWrite(true);

    /// <summary>Scans the folder until the setting changes.</summary>
    private async Task WatchAsync(CancellationToken stopping)
    {
        var folder = _options.Value.WatchFolder;
        using var watcher = Watch();
        while (_options.Value.WatchFolder == folder)
        {
            var growing = await ScanAsync(stopping);
            using var limit = new CancellationTokenSource(growing ? RescanDelay : ScanInterval, _time);
            using var both = CancellationTokenSource.CreateLinkedTokenSource(limit.Token, stopping);
            try
            {
                await _wake.Reader.ReadAsync(both.Token);
            }
            catch (OperationCanceledException) when (!stopping.IsCancellationRequested)
            {
            }
        }
    }

    private FileSystemWatcher? Watch()
    {
        try
        {
            _folder!.Create();
            var watcher = new FileSystemWatcher(_folder.FullName)
            {
                IncludeSubdirectories = true,
                NotifyFilter = NotifyFilters.FileName | NotifyFilters.DirectoryName | NotifyFilters.LastWrite | NotifyFilters.Size
            };
            void Told(object sender, FileSystemEventArgs e)
            {
                if (!Path.GetFileName(e.Name.AsSpan()).SequenceEqual(Probe))
                    _wake.Writer.TryWrite(true);
            }

            watcher.Created += Told;
            watcher.Changed += Told;
            watcher.Renamed += Told;
            watcher.Error += (_, _) => _wake.Writer.TryWrite(true);
            watcher.EnableRaisingEvents = true;
            return watcher;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            LogNoNotifications(_logger, _folder!.FullName, e.Message);
            return null;
        }
    }

    private List<FileInfo> Find()
    {
        try
        {
            _folder!.Refresh();
            if (!_folder.Exists)
                return [];
            return [.. _folder.EnumerateFiles().Concat(_folder.EnumerateDirectories().Where(IsCategory)
                .SelectMany(folder => folder.EnumerateFiles())).Where(IsNzb).OrderBy(file => file.LastWriteTimeUtc)];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            LogOnce(_folder!.FullName, e.Message);
            return [];
        }
    }

    /// <summary>True if nothing can be deleted from a folder. Otherwise each scan would import its files again.</summary>
    private bool IsLocked(string folder)
    {
        try
        {
            const FileShare All = FileShare.ReadWrite | FileShare.Delete;
            new FileStream(Path.Combine(folder, Probe), FileMode.Create, FileAccess.Write, All, 1, FileOptions.DeleteOnClose).Dispose();
            _logged.Remove(folder);
            return false;
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            if (IsNew(folder, e.Message))
                LogLocked(_logger, folder, e.Message);
            return true;
        }
    }

    private bool IsStuck(FileInfo file) =>
        _stuck.TryGetValue(file.FullName, out var known) && known == (file.Length, file.LastWriteTimeUtc);

    private void LogOnce(string path, string reason)
    {
        if (IsNew(path, reason))
            LogTrouble(_logger, path, reason);
    }

    /// <summary>False if the last scan met the same problem, so that it is logged once.</summary>
    private bool IsNew(string path, string reason)
    {
        if (_logged.TryGetValue(path, out var last) && last == reason)
            return false;
        _logged[path] = reason;
        return true;
    }

    private static bool IsCategory(DirectoryInfo folder) => SafeName.Of(folder.Name) == folder.Name && !folder.Name.StartsWith('.');

    // A name that begins with a dot belongs to an unfinished upload.
    private static bool IsNzb(FileInfo file) =>
        !file.Name.StartsWith('.') && Array.Exists(Endings, ending => file.Name.EndsWith(ending, StringComparison.OrdinalIgnoreCase));

    /// <returns>False if the file is still being written.</returns>
    private async Task<bool> ImportAsync(FileInfo file, CancellationToken cancellationToken)
    {
        var category = file.Directory!.FullName == _folder!.FullName ? null : file.Directory.Name;
        IntakeResult taken;
        var before = (file.Length, file.LastWriteTimeUtc);
        await using (var stream = new FileStream(file.FullName, FileMode.Open, FileAccess.Read, FileShare.Read))
        {
            taken = await _intake.AddAsync(
                new IntakeRequest { FileName = file.Name, Category = category, Source = JobSource.Folder, ReuseDuplicates = true }, stream,
                cancellationToken);
        }

        if (taken.Job is null)
        {
            // It may still be incomplete: on Linux, a file can be read while another process writes it.
            file.Refresh();
            if (!file.Exists || before != (file.Length, file.LastWriteTimeUtc)
                || _time.GetUtcNow().UtcDateTime - file.LastWriteTimeUtc < RescanDelay * 4)
                return false;
            await RefuseAsync(file, [taken.Error!], cancellationToken);
            return true;
        }

        LogTaken(_logger, file.FullName, taken.Jobs.Count);
        _stuck[file.FullName] = before;
        if (taken.Refused.Count > 0)
            await RefuseAsync(file, taken.Refused, cancellationToken);
        else
            file.Delete();
        _stuck.Remove(file.FullName);
        return true;
    }

    private async Task RefuseAsync(FileInfo file, IReadOnlyList<string> reasons, CancellationToken cancellationToken)
    {
        LogRefused(_logger, file.FullName, string.Join("; ", reasons));
        var failed = file.FullName + Failed;
        File.Move(file.FullName, failed, overwrite: true);
        await File.WriteAllLinesAsync(failed + ".txt", reasons, cancellationToken);
    }

    [LoggerMessage(231, LogLevel.Information, "Took {File} from the watched folder: {Jobs} jobs.")]
    private static partial void LogTaken(ILogger logger, string file, int jobs);

    [LoggerMessage(232, LogLevel.Warning, "{File} in the watched folder was refused: {Reason}")]
    private static partial void LogRefused(ILogger logger, string file, string reason);

    [LoggerMessage(233, LogLevel.Warning, "{File} in the watched folder cannot be imported yet: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string file, string reason);

    [LoggerMessage(
        239,
        LogLevel.Warning,
        "Nothing is imported from the watched folder {Folder}, because imported files could not be deleted: it cannot be written. "
        + "Mount it writable, and let the user that runs NzbDav write it. ({Reason})")]
    private static partial void LogLocked(ILogger logger, string folder, string reason);

    [LoggerMessage(235, LogLevel.Error, "The watched folder: {File} was not taken because of an internal error. Please report it.")]
    private static partial void LogFault(ILogger logger, Exception fault, string file);

    [LoggerMessage(234, LogLevel.Warning, "The file system does not report changes in {Folder}, so it is scanned every minute: {Reason}")]
    private static partial void LogNoNotifications(ILogger logger, string folder, string reason);
}

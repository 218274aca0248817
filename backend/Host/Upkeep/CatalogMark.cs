using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;

namespace NzbDav.Host.Upkeep;

/// <summary>
/// Checks whether the catalog is the one that the files in the configuration folder were made for. It may be another: the database was
/// deleted, or it is empty because the library has not been moved to this server yet. Each catalog has an id, which a backup and a move
/// keep; the folder has a copy of it. Thread-safe.
/// </summary>
internal sealed partial class CatalogMark(SettingStore settings, CatalogOptions options, ILogger<CatalogMark> logger) : IDisposable
{
    private const string Key = "catalog.id";
    private const string File = "catalog";

    private readonly SemaphoreSlim _mutex = new(1);
    private bool? _matches;

    /// <summary>
    /// False if another catalog may need what this one does not: then nothing may be removed from the folder. A folder without a mark gets
    /// this catalog's.
    /// </summary>
    /// <exception cref="CatalogException">The catalog cannot be read or written.</exception>
    /// <exception cref="IOException">The mark cannot be read or written.</exception>
    public async Task<bool> MatchesAsync(CancellationToken cancellationToken)
    {
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            return _matches ??= await CheckAsync(cancellationToken);
        }
        finally
        {
            _mutex.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _mutex.Dispose();

    private async Task<bool> CheckAsync(CancellationToken cancellationToken)
    {
        if (await settings.GetAsync(Key, cancellationToken) is not { } id)
        {
            await settings.UpdateAsync(Key, static known => known ?? Guid.NewGuid().ToString("N"), cancellationToken);
            id = (await settings.GetAsync(Key, cancellationToken))!;
        }

        var path = Path.Combine(options.ConfigFolder, File);
        if (System.IO.File.Exists(path) && (await System.IO.File.ReadAllTextAsync(path, cancellationToken)).Trim() is { Length: > 0 } mark)
        {
            if (mark == id)
                return true;
            LogForeign(logger, path);
            return false;
        }

        await System.IO.File.WriteAllTextAsync(path, id + "\n", cancellationToken);
        return true;
    }

    [LoggerMessage(
        670, LogLevel.Warning,
        "The catalog is not the one that this folder was used with before. Repaired articles and the data of torrents that it does not " +
        "know are left alone, as the former one may need them. If you have given that up, delete {Path} and restart.")]
    private static partial void LogForeign(ILogger logger, string path);
}

namespace NzbDav.Host.Holding;

/// <summary>
/// Calls back when something changes below folders, as far as the system reports it: not on network mounts, and not beyond its limit of
/// watches. Missed changes are found by the next reading. Thread-safe.
/// </summary>
internal sealed class FolderWatcher(Action changed) : IDisposable
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, FileSystemWatcher> _watchers = new(StringComparer.Ordinal);

    /// <summary>Watches these folders from now on. Folders that cannot be watched are tried again with the next call.</summary>
    public void Watch(IReadOnlyCollection<string> folders)
    {
        lock (_gate)
        {
            foreach (var gone in _watchers.Keys.Except(folders, StringComparer.Ordinal).ToList())
                Drop(gone);
            foreach (var folder in folders.Where(folder => !_watchers.ContainsKey(folder)))
                Add(folder);
        }
    }

    public void Dispose() => Watch([]);

    private void Add(string folder)
    {
        FileSystemWatcher? watcher = null;
        try
        {
            watcher = new FileSystemWatcher(folder)
            { IncludeSubdirectories = true, NotifyFilter = NotifyFilters.FileName | NotifyFilters.DirectoryName };
            watcher.Created += (_, _) => changed();
            watcher.Renamed += (_, _) => changed();
            watcher.Deleted += (_, _) => changed();
            watcher.Error += (_, _) => Forget(folder);
            watcher.EnableRaisingEvents = true;
            _watchers.Add(folder, watcher);
        }
        catch (Exception e) when (e is IOException or ArgumentException or UnauthorizedAccessException or PlatformNotSupportedException)
        {
            watcher?.Dispose();
        }
    }

    private void Forget(string folder)
    {
        lock (_gate)
            Drop(folder);
        changed();
    }

    private void Drop(string folder)
    {
        if (_watchers.Remove(folder, out var watcher))
            watcher.Dispose();
    }
}

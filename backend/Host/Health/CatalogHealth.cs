using NzbDav.Catalog;

namespace NzbDav.Host.Health;

/// <summary>
/// Says whether the catalog can be read and written: really writes, at most every few seconds whoever asks, and never keeps anybody waiting for long.
/// Thread-safe.
/// </summary>
internal sealed class CatalogHealth(CatalogDatabase database, CatalogOptions options, TimeProvider time)
{
    /// <summary>A commit is a sync of the disk: not one for every question.</summary>
    private static readonly TimeSpan Fresh = TimeSpan.FromSeconds(10);

    /// <summary>Whoever asks gives up after a few seconds himself.</summary>
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    /// <summary>With less the next import or the log would fill it.</summary>
    private const long LeastFree = 32L << 20;

    private readonly Lock _gate = new();
    private Task<string?> _probe = Task.FromResult<string?>(null);
    private volatile bool _isWell;
    private long _begun;

    /// <summary>Bytes that are free on the disk of a folder. Tests have disks of their own.</summary>
    internal Func<string, long> FreeSpace { get; init; } = static folder => new DriveInfo(folder).AvailableFreeSpace;

    /// <summary>What is wrong, in words; null when nothing is.</summary>
    public async ValueTask<string?> FindFaultAsync(CancellationToken cancellationToken)
    {
        if (FindFullDisk() is { } full)
            return full;
        try
        {
            return await Probe().WaitAsync(Patience, time, cancellationToken);
        }
        catch (TimeoutException)
        {
            return $"The catalog did not answer within {Patience.TotalSeconds:0} seconds.";
        }
    }

    private Task<string?> Probe()
    {
        lock (_gate)
        {
            // One at a time; a fault is looked at again each time, so that its end is seen at once.
            var isOld = _begun == 0 || time.GetElapsedTime(_begun) >= Fresh;
            if (_probe.IsCompleted && (isOld || !_isWell))
            {
                _begun = time.GetTimestamp();
                _probe = ProbeAsync();
            }

            return _probe;
        }
    }

    private async Task<string?> ProbeAsync()
    {
        try
        {
            // Not on the thread of whoever holds the lock.
            await Task.Yield();
            await database.ProbeAsync(CancellationToken.None);
            _isWell = true;
            return null;
        }
        catch (Exception e) when (e is CatalogException or ObjectDisposedException)
        {
            _isWell = false;
            return e is CatalogException ? e.Message : "The catalog is closed.";
        }
    }

    private string? FindFullDisk()
    {
        try
        {
            var free = FreeSpace(options.ConfigFolder);
            return free < LeastFree ? $"The disk that holds {options.ConfigFolder} is full: {free >> 20} MiB are left." : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}

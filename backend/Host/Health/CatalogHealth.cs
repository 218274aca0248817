using NzbDav.Catalog.Database;

namespace NzbDav.Host.Health;

/// <summary>
/// Checks whether the catalog can be read and written. Performs a real write, at most every few seconds, and never blocks a caller for
/// long. Thread-safe.
/// </summary>
internal sealed class CatalogHealth(CatalogDatabase database, CatalogOptions options, TimeProvider time)
{
    /// <summary>How long a result is reused: a commit syncs the disk.</summary>
    private static readonly TimeSpan Fresh = TimeSpan.FromSeconds(10);

    /// <summary>How long a caller waits: probes give up after a few seconds themselves.</summary>
    private static readonly TimeSpan Timeout = TimeSpan.FromSeconds(2);

    /// <summary>Bytes that must be free: with less, the next import or the log would fill the disk.</summary>
    private const long LeastFree = 32L << 20;

    private readonly Lock _gate = new();
    private Task<string?> _probe = Task.FromResult<string?>(null);
    private volatile bool _isWell;
    private long _startedAt;

    /// <summary>Free bytes on the disk of a folder. Tests replace it.</summary>
    internal Func<string, long> FreeSpace { get; init; } = static folder => new DriveInfo(folder).AvailableFreeSpace;

    /// <summary>What is wrong, as text; null if nothing is.</summary>
    public async ValueTask<string?> FindFaultAsync(CancellationToken cancellationToken)
    {
        if (FindFullDisk() is { } full)
            return full;
        try
        {
            return await Probe().WaitAsync(Timeout, time, cancellationToken);
        }
        catch (TimeoutException)
        {
            return $"The catalog did not answer within {Timeout.TotalSeconds:0} seconds.";
        }
    }

    private Task<string?> Probe()
    {
        lock (_gate)
        {
            // One check at a time. A fault is checked again on each call, so that its end is noticed at once.
            var isOld = _startedAt == 0 || time.GetElapsedTime(_startedAt) >= Fresh;
            if (_probe.IsCompleted && (isOld || !_isWell))
            {
                _startedAt = time.GetTimestamp();
                _probe = ProbeAsync();
            }

            return _probe;
        }
    }

    private async Task<string?> ProbeAsync()
    {
        try
        {
            // Do not run on the thread that holds the lock.
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

using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Locks;

/// <summary>
/// Adds and removes locks. With an <see cref="ILockBook"/> the change is made there, in one step that excludes other servers, and
/// <see cref="LockTable"/> is a copy that is reloaded when another server changed something. Thread-safe.
/// </summary>
internal sealed partial class LockDesk(LockTable locks, ILockBook? book, TimeProvider time, ILogger<LockDesk> logger) : IHostedService,
    IDisposable
{
    private readonly SemaphoreSlim _mutex = new(1, 1);

    /// <inheritdoc cref="LockTable.TryAdd"/>
    public ValueTask<IReadOnlyList<DavLock>?> TryAddAsync(DavLock wanted, TimeSpan timeout, CancellationToken cancellationToken) =>
        ChangeAsync(table => table.TryAdd(wanted, timeout), cancellationToken);

    /// <inheritdoc cref="LockTable.TryRefresh"/>
    public ValueTask<DavLock?> TryRefreshAsync(
        StorePath path, Func<string, bool> isToken, TimeSpan timeout, CancellationToken cancellationToken) =>
        ChangeAsync(table => table.TryRefresh(path, isToken, timeout), cancellationToken);

    /// <inheritdoc cref="LockTable.TryRemove"/>
    public ValueTask<bool> TryRemoveAsync(StorePath path, string token, CancellationToken cancellationToken) =>
        ChangeAsync(table => table.TryRemove(path, token), cancellationToken);

    /// <inheritdoc cref="LockTable.RemoveAt"/>
    public async ValueTask RemoveAtAsync(StorePath path, CancellationToken cancellationToken)
    {
        if (locks.IsEmpty)
            return;
        await ChangeAsync(
            table =>
            {
                table.RemoveAt(path);
                return true;
            },
            cancellationToken);
    }

    /// <summary>Starts to follow the book's changes.</summary>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (book is null)
            return;
        book.Changed += OnChanged;
        await FollowAsync();
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        book?.Changed -= OnChanged;
        return Task.CompletedTask;
    }

    public void Dispose() => _mutex.Dispose();

    private async ValueTask<T> ChangeAsync<T>(Func<LockTable, T> change, CancellationToken cancellationToken)
    {
        if (book is null)
            return change(locks);
        await _mutex.WaitAsync(cancellationToken);
        try
        {
            var result = default(T)!;
            IReadOnlyList<HeldLock> after = [];
            await book.UpdateAsync(
                before =>
                {
                    var table = new LockTable(time);
                    table.Fill(before);
                    result = change(table);
                    return after = table.List();
                },
                cancellationToken);
            locks.Fill(after);
            return result;
        }
        finally
        {
            _mutex.Release();
        }
    }

    private void OnChanged() => _ = FollowAsync();

    private async Task FollowAsync()
    {
        await _mutex.WaitAsync();
        try
        {
            locks.Fill(await book!.ListAsync(CancellationToken.None));
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // The locks are read again when the book is available, and each change reads them first.
            LogTrouble(logger, e.Message);
        }
        finally
        {
            _mutex.Release();
        }
    }

    [LoggerMessage(616, LogLevel.Warning, "The locks of WebDAV clients could not be read: {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}

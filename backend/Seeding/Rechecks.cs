using NzbDav.Catalog.Blobs;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Torrents;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Seeding;

/// <summary>Hashes torrents' data on disk in the background, one torrent after the other: two at once are no faster. Thread-safe.</summary>
internal sealed class Rechecks(TorrentSessions sessions, FactsCache facts, RunBoard board, TorrentOwnership? owners) : IDisposable
{
    private readonly SemaphoreSlim _mutex = new(1, 1);
    private readonly CancellationTokenSource _stopping = new();

    /// <summary>Starts a recheck, unless one of this torrent is already running.</summary>
    /// <param name="hash">Its info-hash.</param>
    /// <param name="metainfo">Its .torrent.</param>
    /// <returns>Completes when the recheck has ended; at once if one was already running.</returns>
    public Task BeginAsync(string hash, BlobHash metainfo) =>
        board.TryBeginChecking(hash) ? Task.Run(() => RunAsync(hash, metainfo, _stopping.Token)) : Task.CompletedTask;

    /// <inheritdoc/>
    public void Dispose() => _stopping.Cancel();

    private async Task RunAsync(string hash, BlobHash metainfo, CancellationToken stopping)
    {
        try
        {
            await _mutex.WaitAsync(stopping);
            try
            {
                if (await facts.ReadAsync(metainfo, stopping) is not { } read
                    || (owners is not null && await owners.ClaimAsync(hash, stopping) is not null))
                    return;
                using var lease = await sessions.UseAsync(read, stopping);
                await lease.Torrent.RecheckAsync(progress: null, stopping);
            }
            finally
            {
                _mutex.Release();
            }
        }
        catch (Exception error) when (error is OperationCanceledException or ObjectDisposedException or CatalogException)
        {
            // The torrent was removed, the server is stopping, or the owner of the torrent cannot be determined.
        }
        finally
        {
            board.EndChecking(hash);
        }
    }
}

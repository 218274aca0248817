using NzbDav.Catalog.Torrents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Sessions;

namespace NzbDav.Host.Serving;

/// <summary>
/// Closes open torrents that this gateway does not own, such as those whose lease could not be renewed. Asks memory only, so a database that does not answer cannot delay it.
/// </summary>
internal sealed partial class TorrentOwnerWatch(TorrentSessions sessions, TorrentOwnership owners, TimeProvider time, ILogger<TorrentOwnerWatch> logger) : BackgroundService
{
    private static readonly TimeSpan LookEvery = TimeSpan.FromSeconds(1);

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(LookEvery, time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
                Look();
        }
        catch (OperationCanceledException) when (stoppingToken.IsCancellationRequested)
        {
        }
    }

    private void Look()
    {
        foreach (var torrent in sessions.Engine.Torrents)
        {
            if (owners.Owns(torrent.Hash.ToString()) || sessions.CloseAsync(torrent.Hash) is { IsCompleted: true })
                continue;
            LogLeft(logger, torrent.Hash);
        }
    }

    [LoggerMessage(640, LogLevel.Warning, "Left the swarm of torrent {Hash}: the lease on it could not be renewed in time, or another gateway owns it.")]
    private static partial void LogLeft(ILogger logger, InfoHash hash);
}

using NzbDav.Content;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Sessions;

/// <summary>
/// Reads a range of one of a torrent's files, and keeps the torrent open meanwhile. The constructor requests the first pieces. If the
/// torrent is just being closed, the first read waits for that and opens it again.
/// </summary>
internal sealed class SessionReader : DelegatingReader
{
    private readonly TorrentSessions _sessions;
    private readonly Metainfo _metainfo;
    private readonly TorrentFile _file;
    private readonly long _start;
    private readonly long _end;
    private readonly ReadIntent _intent;
    private TorrentLease? _lease;
    private bool _disposed;

    public SessionReader(TorrentSessions sessions, Metainfo metainfo, TorrentFile file, long start, long end, ReadIntent intent)
    {
        (_sessions, _metainfo, _file, _start, _end, _intent) = (sessions, metainfo, file, start, end, intent);
        Begin(sessions.TryUse(metainfo));
    }

    /// <inheritdoc/>
    public override long Position => Inner?.Position ?? _start;

    /// <inheritdoc/>
    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        return Inner is { } reader ? reader.NextAsync(cancellationToken) : BeginAsync(cancellationToken);
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        _disposed = true;
        await base.DisposeAsync();
        _lease?.Dispose();
        _lease = null;
    }

    private async ValueTask<ContentLease> BeginAsync(CancellationToken cancellationToken)
    {
        Begin(await _sessions.UseAsync(_metainfo, cancellationToken));
        return await Inner!.NextAsync(cancellationToken);
    }

    private void Begin(TorrentLease? lease)
    {
        if (lease is null)
            return;
        _lease = lease;
        Inner = lease.Torrent.Open(_file).OpenReader(_start, _end, _intent);
    }
}

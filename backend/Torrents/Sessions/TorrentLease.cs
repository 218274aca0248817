namespace NzbDav.Torrents.Sessions;

/// <summary>Keeps a torrent open until disposed.</summary>
public sealed class TorrentLease : IDisposable
{
    private Action? _release;

    internal TorrentLease(Torrent torrent, Action release)
    {
        Torrent = torrent;
        _release = release;
    }

    /// <summary>The open torrent.</summary>
    public Torrent Torrent { get; }

    /// <inheritdoc/>
    public void Dispose() => Interlocked.Exchange(ref _release, value: null)?.Invoke();
}

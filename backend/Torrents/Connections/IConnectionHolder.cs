namespace NzbDav.Torrents.Connections;

/// <summary>A torrent as <see cref="ConnectionManager"/> sees it. Thread-safe.</summary>
internal interface IConnectionHolder
{
    /// <summary>Somebody waits for it: it is read, or not described yet. Called under the manager's lock: must take none.</summary>
    bool IsUrgent { get; }

    /// <summary>Closes up to <paramref name="count"/> connections, the least useful first; returns how many. Called outside the manager's lock.</summary>
    int CloseLeastUseful(int count);

    /// <summary>It was refused, and there may be room now: it dials again before this returns, if it has anybody to dial. Called outside the manager's lock.</summary>
    void PlaceFreed();
}

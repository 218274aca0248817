namespace NzbDav.Torrents.Connections;

/// <summary>A torrent as <see cref="ConnectionManager"/> sees it. Thread-safe.</summary>
internal interface IConnectionHolder
{
    /// <summary>True if the torrent has readers, or is not described yet. Called under the manager's lock: must take no lock.</summary>
    bool IsUrgent { get; }

    /// <summary>Closes up to <paramref name="count"/> connections, the least useful first; returns how many. Called outside the manager's lock.</summary>
    int CloseLeastUseful(int count);

    /// <summary>Called after a refusal when there may be room: it dials again before this returns, if it has peers to dial. Called outside the manager's
    /// lock.</summary>
    void PlaceFreed();
}

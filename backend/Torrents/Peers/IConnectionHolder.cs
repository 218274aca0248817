namespace NzbDav.Torrents.Peers;

/// <summary>A torrent as <see cref="ConnectionLimits"/> sees it. Thread-safe.</summary>
internal interface IConnectionHolder
{
    /// <summary>Somebody waits for it: it is read, or not described yet. Asked for under the limits' lock: must take none.</summary>
    bool IsUrgent { get; }

    /// <summary>Closes so many connections, those that were of least use; returns how many it did. Called outside the limits' lock.</summary>
    int CloseSlowest(int count);

    /// <summary>It was refused, and there may be room now. Called outside the limits' lock.</summary>
    void PlaceFreed();
}

namespace NzbDav.Torrents.Network;

/// <summary>The interfaces of this machine. Thread-safe.</summary>
internal interface ILocalAddresses
{
    /// <summary>Something may have changed. On any thread.</summary>
    event Action? Changed;

    /// <summary>All that there are.</summary>
    IReadOnlyList<LocalAddress> List();
}

namespace NzbDav.Torrents.Network;

/// <summary>The interfaces of this machine. Thread-safe.</summary>
internal interface ILocalAddresses
{
    /// <summary>Raised on any thread when the addresses may have changed.</summary>
    event Action? Changed;

    /// <summary>All addresses, and the interfaces without one.</summary>
    IReadOnlyList<LocalAddress> List();
}

namespace NzbDav.Torrents.Status;

/// <summary>Whether a router lets the port through.</summary>
public enum MappingState
{
    /// <summary>No router is asked: port mapping is switched off or would not help, or there is no router because this machine is not in a private
    /// network.</summary>
    Off,

    /// <summary>Port mapping is switched on, and no router has answered yet.</summary>
    Asking,

    /// <summary>A router granted the mapping.</summary>
    Mapped,

    /// <summary>No router granted the mapping. It will be requested again.</summary>
    Failed,
}

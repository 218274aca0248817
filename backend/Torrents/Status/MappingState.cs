namespace NzbDav.Torrents.Status;

/// <summary>Whether a router lets the port through.</summary>
public enum MappingState
{
    /// <summary>No router is asked: it is switched off, cannot help, or there is none, as this machine is in no private network.</summary>
    Off,

    /// <summary>It is switched on, and no router has answered so far.</summary>
    Asking,

    /// <summary>A router granted it.</summary>
    Mapped,

    /// <summary>No router granted it. It is asked again.</summary>
    Failed,
}

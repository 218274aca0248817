namespace NzbDav.Torrents.Status;

/// <summary>Whether a router lets the port through.</summary>
public enum MappingState
{
    /// <summary>No router is asked: it is switched off, or cannot help.</summary>
    Off,

    /// <summary>A router is being asked for the first time.</summary>
    Asking,

    /// <summary>A router granted it.</summary>
    Mapped,

    /// <summary>No router was found, or none granted it. It is asked again.</summary>
    Failed,
}

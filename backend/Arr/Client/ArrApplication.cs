namespace NzbDav.Arr.Client;

/// <summary>The supported applications. They differ in API version and in the names of some fields.</summary>
public enum ArrApplication
{
    /// <summary>Series; api/v3.</summary>
    Sonarr,

    /// <summary>Films; api/v3.</summary>
    Radarr,

    /// <summary>Music; api/v1.</summary>
    Lidarr,

    /// <summary>Indexers; api/v1. Has no queue, files or history of imports.</summary>
    Prowlarr,
}

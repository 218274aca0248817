namespace NzbDav.Arr.Resources;

/// <summary>Maps a path of a download client to a path of the application.</summary>
public sealed record RemotePathMapping
{
    /// <summary>0 until it is saved.</summary>
    public int Id { get; init; }

    /// <summary>Host exactly as in the download client's definition.</summary>
    public string Host { get; init; } = string.Empty;

    /// <summary>Path as the download client reports it.</summary>
    public string RemotePath { get; init; } = string.Empty;

    /// <summary>Path where the application finds it.</summary>
    public string LocalPath { get; init; } = string.Empty;
}

namespace NzbDav.Arr.Resources;

/// <summary>Which path of a download client is which of the application's.</summary>
public sealed record RemotePathMapping
{
    /// <summary>0 until it is saved.</summary>
    public int Id { get; init; }

    /// <summary>To the letter as in the download client's definition.</summary>
    public string Host { get; init; } = string.Empty;

    /// <summary>What the download client says.</summary>
    public string RemotePath { get; init; } = string.Empty;

    /// <summary>Where the application finds it.</summary>
    public string LocalPath { get; init; } = string.Empty;
}

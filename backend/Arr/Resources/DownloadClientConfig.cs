namespace NzbDav.Arr.Resources;

/// <summary><c>config/downloadclient</c>.</summary>
public sealed record DownloadClientConfig
{
    /// <summary>True if completed downloads are imported.</summary>
    public bool EnableCompletedDownloadHandling { get; init; }

    /// <summary>True if a failed download causes another search.</summary>
    public bool AutoRedownloadFailed { get; init; }
}

namespace NzbDav.Arr.Resources;

/// <summary><c>config/downloadclient</c>.</summary>
public sealed record DownloadClientConfig
{
    /// <summary>Whether completed downloads are imported at all.</summary>
    public bool EnableCompletedDownloadHandling { get; init; }

    /// <summary>Whether a failed download is searched for again.</summary>
    public bool AutoRedownloadFailed { get; init; }
}

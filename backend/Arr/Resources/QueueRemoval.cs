namespace NzbDav.Arr.Resources;

/// <summary>What to do when a row is removed from the queue.</summary>
public sealed record QueueRemoval
{
    /// <summary>True: the application also deletes the download in the download client.</summary>
    public bool RemoveFromClient { get; init; } = true;

    /// <summary>True: the release is not grabbed again, and a search follows unless <see cref="SkipRedownload"/>.</summary>
    public bool Blocklist { get; init; }

    /// <summary>True: no search after blocklisting.</summary>
    public bool SkipRedownload { get; init; }
}

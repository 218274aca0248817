namespace NzbDav.Arr.Resources;

/// <summary>What happens when a row leaves the queue.</summary>
public sealed record QueueRemoval
{
    /// <summary>The download client is told to delete it too.</summary>
    public bool RemoveFromClient { get; init; } = true;

    /// <summary>The release is not taken again; a search follows unless <see cref="SkipRedownload"/>.</summary>
    public bool Blocklist { get; init; }

    /// <summary>No search after a blocklisting.</summary>
    public bool SkipRedownload { get; init; }
}

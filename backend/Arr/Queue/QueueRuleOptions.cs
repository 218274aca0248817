namespace NzbDav.Arr.Queue;

/// <summary>When and how the queue is tidied. Immutable.</summary>
public sealed record QueueRuleOptions
{
    /// <summary>Asked in their order; the first that matches counts.</summary>
    public IReadOnlyList<QueueRule> Rules { get; init; } = QueueRule.Defaults;

    /// <summary>Values of <c>trackedDownloadState</c> that can be stuck. Downloads in others are never touched.</summary>
    public IReadOnlyList<string> States { get; init; } = ["importBlocked", "importPending"];

    /// <summary>How long a download must have been stuck by the same rule: the applications try again by themselves, and mounts take time. Default 5 minutes.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Which downloads are this gateway's, by their id. Others' are never touched. The default is the prefix of SABnzbd ids.</summary>
    public Func<string, bool> IsOurs { get; init; } = static id => id.StartsWith("SABnzbd_nzo_", StringComparison.Ordinal);
}

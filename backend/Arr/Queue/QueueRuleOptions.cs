namespace NzbDav.Arr.Queue;

/// <summary>When and how to clean up the queue. Immutable.</summary>
public sealed record QueueRuleOptions
{
    /// <summary>The rules, in order; the first that matches applies.</summary>
    public IReadOnlyList<QueueRule> Rules { get; init; } = QueueRule.Defaults;

    /// <summary>Values of <c>trackedDownloadState</c> in which a download can be stuck. Downloads in other states are never touched.</summary>
    public IReadOnlyList<string> States { get; init; } = ["importBlocked", "importPending"];

    /// <summary>How long a download must have matched the same rule: the applications retry by themselves, and mounts take time. Default 5 minutes.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromMinutes(5);

    /// <summary>Tells by its id whether a download is this gateway's. Others are never touched. Asked only about downloads that match a rule; what it throws ends the run.</summary>
    public required Func<string, CancellationToken, ValueTask<bool>> IsOurs { get; init; }
}

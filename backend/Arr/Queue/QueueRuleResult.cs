using NzbDav.Arr.Client;

namespace NzbDav.Arr.Queue;

/// <summary>What a rule did with one download.</summary>
/// <param name="DownloadId">The download.</param>
/// <param name="Title">The release.</param>
/// <param name="Rule">The rule's name.</param>
/// <param name="Action">The rule's action.</param>
/// <param name="Reason">The message that the rule matched.</param>
/// <param name="Error">Why the action failed; null if it succeeded.</param>
public sealed record QueueRuleResult(string DownloadId, string? Title, string Rule, QueueAction Action, string Reason, ArrError? Error);

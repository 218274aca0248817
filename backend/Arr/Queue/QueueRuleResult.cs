using NzbDav.Arr.Client;

namespace NzbDav.Arr.Queue;

/// <summary>What a rule did with one download, or why it left it alone although the user has to do something.</summary>
/// <param name="DownloadId">The download.</param>
/// <param name="Title">The release.</param>
/// <param name="Rule">The rule's name.</param>
/// <param name="Action">The rule's action.</param>
/// <param name="Reason">The message that the rule matched.</param>
/// <param name="Error">Why the action failed or was not taken; null if it succeeded.</param>
public sealed record QueueRuleResult(string DownloadId, string? Title, string Rule, QueueAction Action, string Reason, ArrError? Error);

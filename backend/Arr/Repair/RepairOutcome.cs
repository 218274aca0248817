using NzbDav.Arr.Client;

namespace NzbDav.Arr.Repair;

/// <summary>The outcome of a repair.</summary>
/// <param name="Status">The outcome.</param>
/// <param name="Message">Explanation for people.</param>
public sealed record RepairOutcome(RepairStatus Status, string Message)
{
    /// <summary>The error, for <see cref="RepairStatus.Failed"/>.</summary>
    public ArrError? Error { get; init; }

    /// <summary>When to try again, for <see cref="RepairStatus.Later"/>.</summary>
    public TimeSpan? RetryAfter { get; init; }
}

using NzbDav.Arr.Client;

namespace NzbDav.Arr.Repair;

/// <summary>How a repair ended, and why.</summary>
/// <param name="Status">How.</param>
/// <param name="Message">In words.</param>
public sealed record RepairOutcome(RepairStatus Status, string Message)
{
    /// <summary>Of <see cref="RepairStatus.Failed"/>.</summary>
    public ArrError? Error { get; init; }

    /// <summary>Of <see cref="RepairStatus.Later"/>.</summary>
    public TimeSpan? RetryAfter { get; init; }
}

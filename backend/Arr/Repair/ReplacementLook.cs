namespace NzbDav.Arr.Repair;

/// <summary>What an application has in place of an old file.</summary>
/// <param name="Outcome">How the look ended: <see cref="RepairStatus.Done"/> with targets, <see cref="RepairStatus.Searching"/> without, or <see cref="RepairStatus.Failed"/>.</param>
/// <param name="Targets">What the new files' links lead to; null stands for a file that is no link or cannot be read from here.</param>
public sealed record ReplacementLook(RepairOutcome Outcome, IReadOnlyList<string?> Targets);

namespace NzbDav.Arr.Repair;

/// <summary>The files that an application has in place of an old one.</summary>
/// <param name="Outcome">Outcome of the check: <see cref="RepairStatus.Done"/> with targets; without targets <see cref="RepairStatus.Searching"/>,
/// <see cref="RepairStatus.NotFound"/> or <see cref="RepairStatus.Failed"/>.</param>
/// <param name="Targets">Link targets of the new files; null for a file that is not a link or cannot be read from here.</param>
public sealed record ReplacementLook(RepairOutcome Outcome, IReadOnlyList<string?> Targets);

namespace NzbDav.Library.Holding;

/// <summary>How a sweep ended.</summary>
/// <param name="At">When it began.</param>
/// <param name="Problems">Why nothing was hidden and deleted, in words; empty: nothing stood in the way.</param>
/// <param name="Held">Files that libraries have links to.</param>
/// <param name="Hidden">Files that were hidden now.</param>
/// <param name="Deleted">Files that were deleted now.</param>
/// <param name="TrialEnds">End of the trial, during which files are only shown as lost; null: no sweep has read everything yet.</param>
public sealed record KeeperReport(DateTimeOffset At, IReadOnlyList<string> Problems, int Held, int Hidden, int Deleted, DateTimeOffset? TrialEnds);

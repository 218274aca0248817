namespace NzbDav.Fuzz.Command;

/// <summary>Counts that a worker reports at its end.</summary>
/// <param name="Runs">Inputs parsed.</param>
/// <param name="Kept">Inputs in its corpus.</param>
/// <param name="Edges">Pairs of branches taken.</param>
/// <param name="Findings">Faults found, other than those that ended it.</param>
internal sealed record WorkCounts(long Runs, int Kept, int Edges, int Findings);

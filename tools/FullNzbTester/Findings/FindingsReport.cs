namespace NzbDav.FullNzbTester.Findings;

/// <summary>Findings as they travel from the child process that made them.</summary>
internal sealed record FindingsReport(IReadOnlyList<FigureRow> Rows, IReadOnlyList<StageFailure> Failures, long BytesCompared, long WrongBytes, long BrokenOff);

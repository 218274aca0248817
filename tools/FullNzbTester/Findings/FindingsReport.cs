namespace NzbDav.FullNzbTester.Findings;

/// <summary>Findings as a child process sends them to its parent.</summary>
internal sealed record FindingsReport(IReadOnlyList<FigureRow> Rows, IReadOnlyList<StageFailure> Failures, long BytesCompared, long WrongBytes, long BrokenOff);

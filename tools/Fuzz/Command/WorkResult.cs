namespace NzbDav.Fuzz.Command;

/// <summary>Result of a worker.</summary>
/// <param name="ExitCode">Exit code; 0 if it ran until its time was over.</param>
/// <param name="Counts">Its counts; null if it ended early.</param>
/// <param name="Said">Its findings, as text for people.</param>
/// <param name="Errors">Output of the runtime if it crashed.</param>
internal sealed record WorkResult(int ExitCode, WorkCounts? Counts, string Said, string Errors);

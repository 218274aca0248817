namespace NzbDav.Fuzz.Command;

/// <summary>How a worker ended.</summary>
/// <param name="ExitCode">0 when its time was over.</param>
/// <param name="Counts">Null when it was ended.</param>
/// <param name="Said">What it found, for a person.</param>
/// <param name="Errors">What the runtime printed when it crashed.</param>
internal sealed record WorkResult(int ExitCode, WorkCounts? Counts, string Said, string Errors);

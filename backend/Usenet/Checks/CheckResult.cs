namespace NzbDav.Usenet.Checks;

/// <summary>Result of one step of a check.</summary>
/// <param name="Step">The step.</param>
/// <param name="Ok">True when nothing is wrong.</param>
/// <param name="Skipped">True when it was not run; <paramref name="Message"/> says why.</param>
/// <param name="Time">How long it took.</param>
/// <param name="Message">One sentence or two: what was found, and if it is wrong what to do.</param>
public sealed record CheckResult(CheckStep Step, bool Ok, bool Skipped, TimeSpan Time, string Message);

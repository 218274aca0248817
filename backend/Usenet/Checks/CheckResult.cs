namespace NzbDav.Usenet.Checks;

/// <summary>What one step of a check found.</summary>
/// <param name="Step">Which.</param>
/// <param name="Ok">Nothing is wrong.</param>
/// <param name="Skipped">It was not made; <paramref name="Message"/> says why.</param>
/// <param name="Time">How long it took.</param>
/// <param name="Message">One sentence or two: what was found, and if it is wrong what to do.</param>
public sealed record CheckResult(CheckStep Step, bool Ok, bool Skipped, TimeSpan Time, string Message);

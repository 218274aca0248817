namespace NzbDav.Host.Upkeep;

/// <summary>Whether checks are paused.</summary>
/// <param name="Pause">True: nothing is checked until checks are resumed.</param>
internal sealed record HealthPauseBody(bool Pause);

namespace NzbDav.Host.Operations;

/// <summary>The pending and the latest restore.</summary>
/// <param name="Pending">The backup that the next start restores; null: none.</param>
/// <param name="Last">The result of the latest restore; null: there was none.</param>
internal sealed record RestoreStateBody(RestoreBody? Pending, RestoreOutcomeBody? Last);

namespace NzbDav.Host.Operations;

/// <summary>How restoring stands.</summary>
/// <param name="Pending">What the next start takes; null: nothing.</param>
/// <param name="Last">What the latest restore came to; null: there was none.</param>
internal sealed record RestoreStateBody(RestoreBody? Pending, RestoreOutcomeBody? Last);

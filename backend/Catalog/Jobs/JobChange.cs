namespace NzbDav.Catalog.Jobs;

/// <summary>Something happened to a job in this process.</summary>
/// <param name="JobId">Which.</param>
/// <param name="State">Where it stands now; null: it was deleted.</param>
public readonly record struct JobChange(long JobId, JobState? State);

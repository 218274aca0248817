using NzbDav.Catalog.Jobs;

namespace NzbDav.Import.Progress;

/// <summary>Progress of a running job.</summary>
/// <param name="JobId">The job.</param>
/// <param name="Progress">The current step, and how much of it is done.</param>
public readonly record struct ImportProgress(long JobId, JobProgress Progress);

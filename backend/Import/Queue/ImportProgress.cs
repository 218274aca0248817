using NzbDav.Catalog;

namespace NzbDav.Import;

/// <summary>How far a running job is.</summary>
/// <param name="JobId">Which.</param>
/// <param name="Progress">The step and how much of it is done.</param>
public readonly record struct ImportProgress(long JobId, JobProgress Progress);

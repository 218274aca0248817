using NzbDav.Catalog.Jobs;

namespace NzbDav.Import.Progress;

/// <summary>
/// Receives the progress of jobs. Called by workers, from any thread; implementations must return quickly.
/// <see cref="NzbDav.Catalog.Jobs.JobStore.Changed"/> reports how a job ends.
/// </summary>
public interface IImportEvents
{
    /// <summary>Called when a job has progressed.</summary>
    void Report(ImportProgress progress);
}

/// <summary>Passes progress on to the listeners in this process. Thread-safe.</summary>
public sealed class ImportEvents : IImportEvents
{
    /// <summary>Raised on a worker's thread; handlers must return quickly.</summary>
    public event Action<ImportProgress>? Progressed;

    /// <inheritdoc/>
    public void Report(ImportProgress progress) => Progressed?.Invoke(progress);
}

/// <summary>Progress of a running job.</summary>
/// <param name="JobId">The job.</param>
/// <param name="Progress">The current step, and how much of it is done.</param>
public readonly record struct ImportProgress(long JobId, JobProgress Progress);

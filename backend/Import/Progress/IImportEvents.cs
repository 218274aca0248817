namespace NzbDav.Import.Progress;

/// <summary>
/// Receives the progress of jobs. Called by workers, from any thread; implementations must return quickly. <see cref="NzbDav.Catalog.Jobs.JobStore.Changed"/>
/// reports how a job ends.
/// </summary>
public interface IImportEvents
{
    /// <summary>A job has progressed.</summary>
    void Report(ImportProgress progress);
}

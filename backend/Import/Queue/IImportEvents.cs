namespace NzbDav.Import;

/// <summary>Told how far jobs are. Called by workers, from any thread: return quickly. What becomes of a job at the end is told by <see cref="Catalog.JobStore.Changed"/>.</summary>
public interface IImportEvents
{
    /// <summary>A job got further.</summary>
    void Report(ImportProgress progress);
}

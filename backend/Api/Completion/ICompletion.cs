using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Completion;

/// <summary>Says whether the files of a finished job can already be listed by the programs that import them. Thread-safe.</summary>
public interface ICompletion
{
    /// <summary>Raised after a job became visible; handlers must return quickly.</summary>
    event Action? Shown;

    /// <summary>True once the job's folder shows on the mount.</summary>
    /// <param name="job">A completed job.</param>
    bool IsVisible(CatalogJob job);
}

using NzbDav.Catalog;

namespace NzbDav.Api.Completion;

/// <summary>Whether what a job published can be listed by those who import it. Thread-safe.</summary>
public interface ICompletion
{
    /// <summary>True once the job's folder shows on the mount.</summary>
    /// <param name="job">A completed one.</param>
    bool IsVisible(CatalogJob job);
}

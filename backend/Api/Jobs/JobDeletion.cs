using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Jobs;

/// <summary>What becomes of the files that a deleted job has published.</summary>
internal enum JobFiles
{
    /// <summary>They stay.</summary>
    Keep,

    /// <summary>
    /// A client no longer needs them. They are deleted at once if no link to one of them was ever read; otherwise once it is known that no
    /// library has one. The *arrs ask for that after each import, also for the files they have just imported.
    /// </summary>
    Release,

    /// <summary>A person wants them gone now: refused while a library has, or may have, a link to one.</summary>
    Delete,
}

/// <summary>How an interface deletes a job. A job that has not ended is deleted with all of it in any case.</summary>
/// <param name="Files">Its files.</param>
/// <param name="Archives">
/// True: the entry of an ended job whose files stay is archived, where clients no longer look; false: it is deleted.
/// </param>
/// <param name="Shows">The jobs that the list shows from which the caller deletes; null: all.</param>
internal sealed record JobDeletion(JobFiles Files, bool Archives = false, Func<CatalogJob, bool>? Shows = null);

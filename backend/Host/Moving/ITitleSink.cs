using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>Imports titles of another program, or only checks whether they could be imported.</summary>
internal interface ITitleSink
{
    /// <summary>Imports a title that has an .nzb. Several calls may run at the same time.</summary>
    /// <param name="title">The title.</param>
    /// <param name="nzb">Its .nzb, disposed by the caller.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The job, and whether it existed before; or why the title cannot be imported, as a sentence.</returns>
    Task<(long? JobId, bool WasHere, string? Error)> TakeAsync(OldTitle title, Stream nzb, CancellationToken cancellationToken);
}

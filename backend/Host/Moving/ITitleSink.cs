using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>Takes titles of another program in, or only looks whether they could be taken.</summary>
internal interface ITitleSink
{
    /// <summary>Takes a title that has an .nzb. Several calls may run at a time.</summary>
    /// <param name="title">The title.</param>
    /// <param name="nzb">Its .nzb, disposed by the caller.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <returns>The job, and whether it was there before; or why it cannot come, as a sentence.</returns>
    Task<(long? JobId, bool WasHere, string? Error)> TakeAsync(OldTitle title, Stream nzb, CancellationToken cancellationToken);
}

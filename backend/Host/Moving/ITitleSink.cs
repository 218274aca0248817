using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>Takes titles of another program in, or only looks whether they could be taken.</summary>
internal interface ITitleSink
{
    /// <summary>Takes a title that has an .nzb.</summary>
    /// <returns>The job; or why it cannot come, as a sentence.</returns>
    Task<(long? JobId, string? Error)> TakeAsync(OldTitle title, CancellationToken cancellationToken);
}
